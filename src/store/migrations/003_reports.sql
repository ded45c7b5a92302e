-- What happened to nodes, and to the cluster itself (node ''): it had `tres` from then on.
CREATE TABLE event (
  node TEXT NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,           -- 0: it still is so
  state BIGINT NOT NULL,
  reason TEXT NOT NULL,
  uid BIGINT NOT NULL,
  user_name TEXT NOT NULL,
  nodes TEXT NOT NULL,                -- of the cluster: a hostlist
  tres TEXT NOT NULL,                 -- cpu=8,mem=1000,gres/gpu=4: numbers without units
  PRIMARY KEY (node, start_time)
);

-- Only of jobs that have been suspended or have given nodes back: what they had from then on.
CREATE TABLE job_share (
  job_id BIGINT NOT NULL,
  restarts INTEGER NOT NULL,
  since BIGINT NOT NULL,
  tres TEXT NOT NULL,
  PRIMARY KEY (job_id, restarts, since)
);

-- Each window of a reservation; a change of an active one begins another row.
CREATE TABLE reservation_window (
  id BIGINT NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  name TEXT NOT NULL,
  flags BIGINT NOT NULL,
  nodes TEXT NOT NULL,
  tres TEXT NOT NULL,
  associations TEXT NOT NULL,         -- ids: 7,9
  PRIMARY KEY (id, start_time)
);
CREATE INDEX reservation_window_end ON reservation_window (end_time);

-- Use, in seconds of each trackable resource, of hours that are over; days and months by the
-- clock on the wall, each written when it is over. meta has `usage_until`.
CREATE TABLE usage_hour (
  start_time BIGINT NOT NULL,
  assoc_id BIGINT NOT NULL,
  tres TEXT NOT NULL,
  seconds BIGINT NOT NULL,
  PRIMARY KEY (start_time, assoc_id, tres)
);
CREATE TABLE usage_day (
  start_time BIGINT NOT NULL,
  assoc_id BIGINT NOT NULL,
  tres TEXT NOT NULL,
  seconds BIGINT NOT NULL,
  PRIMARY KEY (start_time, assoc_id, tres)
);
CREATE TABLE usage_month (
  start_time BIGINT NOT NULL,
  assoc_id BIGINT NOT NULL,
  tres TEXT NOT NULL,
  seconds BIGINT NOT NULL,
  PRIMARY KEY (start_time, assoc_id, tres)
);

CREATE TABLE wckey_hour (
  start_time BIGINT NOT NULL,
  wckey TEXT NOT NULL,
  user_name TEXT NOT NULL,
  tres TEXT NOT NULL,
  seconds BIGINT NOT NULL,
  PRIMARY KEY (start_time, wckey, user_name, tres)
);
CREATE TABLE wckey_day (
  start_time BIGINT NOT NULL,
  wckey TEXT NOT NULL,
  user_name TEXT NOT NULL,
  tres TEXT NOT NULL,
  seconds BIGINT NOT NULL,
  PRIMARY KEY (start_time, wckey, user_name, tres)
);
CREATE TABLE wckey_month (
  start_time BIGINT NOT NULL,
  wckey TEXT NOT NULL,
  user_name TEXT NOT NULL,
  tres TEXT NOT NULL,
  seconds BIGINT NOT NULL,
  PRIMARY KEY (start_time, wckey, user_name, tres)
);

CREATE TABLE cluster_hour (
  start_time BIGINT NOT NULL,
  tres TEXT NOT NULL,
  amount BIGINT NOT NULL,             -- the most that there was
  allocated BIGINT NOT NULL,
  down BIGINT NOT NULL,
  planned_down BIGINT NOT NULL,
  idle BIGINT NOT NULL,
  planned BIGINT NOT NULL,
  overcommitted BIGINT NOT NULL,
  PRIMARY KEY (start_time, tres)
);
CREATE TABLE cluster_day (
  start_time BIGINT NOT NULL,
  tres TEXT NOT NULL,
  amount BIGINT NOT NULL,
  allocated BIGINT NOT NULL,
  down BIGINT NOT NULL,
  planned_down BIGINT NOT NULL,
  idle BIGINT NOT NULL,
  planned BIGINT NOT NULL,
  overcommitted BIGINT NOT NULL,
  PRIMARY KEY (start_time, tres)
);
CREATE TABLE cluster_month (
  start_time BIGINT NOT NULL,
  tres TEXT NOT NULL,
  amount BIGINT NOT NULL,
  allocated BIGINT NOT NULL,
  down BIGINT NOT NULL,
  planned_down BIGINT NOT NULL,
  idle BIGINT NOT NULL,
  planned BIGINT NOT NULL,
  overcommitted BIGINT NOT NULL,
  PRIMARY KEY (start_time, tres)
);
