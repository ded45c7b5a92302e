-- sacct -j of an array asks for its tasks, or for one of them.
DROP INDEX job_array;
CREATE INDEX job_array ON job (array_job_id, array_task_id) WHERE array_job_id <> 0;
