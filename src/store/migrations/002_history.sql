-- sacct -j of an array asks for its tasks.
CREATE INDEX job_array ON job (array_job_id) WHERE array_job_id <> 0;
-- A window of time and a user, without a look at the rows themselves.
DROP INDEX job_end;
CREATE INDEX job_end ON job (end_time, uid, submit_time, id);
