-- On whose books a job is; 0: on nobody's.
ALTER TABLE job ADD COLUMN assoc_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN wckey TEXT NOT NULL DEFAULT '';

-- Who changed what in the books (sacctmgr show transaction). Accounts, users, associations and QoS
-- themselves are settings, of the kinds "books.account", "books.user" ...
CREATE TABLE books_log (
  id BIGINT NOT NULL PRIMARY KEY,
  time BIGINT NOT NULL,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  target TEXT NOT NULL,
  info TEXT NOT NULL
);
CREATE INDEX books_log_time ON books_log (time);
