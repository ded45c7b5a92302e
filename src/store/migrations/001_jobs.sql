CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- Scripts and environments, each kept once, under the hash of its bytes.
CREATE TABLE content (
  key TEXT PRIMARY KEY,
  data $BYTES NOT NULL
);

-- One row for each run of a job: a requeued job has several, and the last one counts.
CREATE TABLE job (
  id BIGINT NOT NULL,
  restarts INTEGER NOT NULL,
  array_job_id BIGINT NOT NULL,
  array_task_id BIGINT NOT NULL,      -- -1: none
  array_waiting TEXT NOT NULL,        -- tasks that have no row of their own yet
  array_max_running BIGINT NOT NULL,
  uid BIGINT NOT NULL,
  gid BIGINT NOT NULL,
  user_name TEXT NOT NULL,
  group_name TEXT NOT NULL,
  account TEXT NOT NULL,
  qos TEXT NOT NULL,
  partitions TEXT NOT NULL,
  name TEXT NOT NULL,
  state BIGINT NOT NULL,
  reason INTEGER NOT NULL,
  reason_detail TEXT NOT NULL,
  hold INTEGER NOT NULL,
  priority BIGINT NOT NULL,
  direct_priority INTEGER NOT NULL,
  dependency TEXT NOT NULL,
  submit_time BIGINT NOT NULL,
  begin_time BIGINT NOT NULL,
  eligible_time BIGINT NOT NULL,
  accrue_time BIGINT NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  suspend_time BIGINT NOT NULL,
  pre_suspend_s BIGINT NOT NULL,
  suspended_s BIGINT NOT NULL,
  killed_time BIGINT NOT NULL,
  warned INTEGER NOT NULL,
  nodes TEXT NOT NULL,
  min_nodes BIGINT NOT NULL,
  max_nodes BIGINT NOT NULL,
  tasks BIGINT NOT NULL,
  cpus_per_task BIGINT NOT NULL,
  min_cpus_per_node BIGINT NOT NULL,
  cpus BIGINT NOT NULL,
  mem_per_cpu_mb BIGINT NOT NULL,
  mem_per_node_mb BIGINT NOT NULL,
  time_limit BIGINT NOT NULL,         -- minutes
  whole_nodes INTEGER NOT NULL,
  next_step BIGINT NOT NULL,
  requeue_after INTEGER NOT NULL,
  backfilled INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  exit_code INTEGER NOT NULL,
  derived_exit_code INTEGER NOT NULL,
  ended_by BIGINT NOT NULL,
  system_comment TEXT NOT NULL,
  script_key TEXT NOT NULL,
  environment_key TEXT NOT NULL,
  token TEXT NOT NULL,
  spec $BYTES NOT NULL,
  allocation $BYTES NOT NULL,
  live INTEGER NOT NULL,              -- 1: the engine still cares for it
  PRIMARY KEY (id, restarts)
);
CREATE INDEX job_live ON job (id) WHERE live = 1;
CREATE INDEX job_end ON job (end_time);

CREATE TABLE step (
  job_id BIGINT NOT NULL,
  restarts INTEGER NOT NULL,
  step_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  state BIGINT NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  nodes TEXT NOT NULL,
  tasks BIGINT NOT NULL,
  time_limit BIGINT NOT NULL,
  exit_code INTEGER NOT NULL,
  overlap INTEGER NOT NULL,
  srun_pid BIGINT NOT NULL,
  srun_host TEXT NOT NULL,
  failure TEXT NOT NULL,
  user_us BIGINT NOT NULL,
  system_us BIGINT NOT NULL,
  max_rss BIGINT NOT NULL,
  task_node TEXT NOT NULL,
  spec $BYTES NOT NULL,
  allocation $BYTES NOT NULL,
  PRIMARY KEY (job_id, restarts, step_id)
);

-- What operators changed by hand and a restart must keep: node states, partitions, reservations.
CREATE TABLE setting (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  data $BYTES NOT NULL,
  PRIMARY KEY (kind, name)
);
