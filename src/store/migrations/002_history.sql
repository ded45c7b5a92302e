-- sacct -j of an array asks for its tasks.
CREATE INDEX job_array ON job (array_job_id) WHERE array_job_id <> 0;
