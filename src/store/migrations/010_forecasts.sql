-- When jobs were said to start, and when they did. One row a run: the first forecast that was made.
CREATE TABLE forecast (
  job_id BIGINT NOT NULL,
  restarts INTEGER NOT NULL,
  made BIGINT NOT NULL,
  user_name TEXT NOT NULL,
  partition_name TEXT NOT NULL,
  median BIGINT NOT NULL,             -- as told
  bound BIGINT NOT NULL,
  raw_median BIGINT NOT NULL,         -- before the correction by earlier ones
  raw_bound BIGINT NOT NULL,
  start_time BIGINT NOT NULL,         -- 0: it waits; -1: it never started
  PRIMARY KEY (job_id, restarts)
);
CREATE INDEX forecast_made ON forecast (made);
