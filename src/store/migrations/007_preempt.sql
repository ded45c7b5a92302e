-- When it was told to make room for another job; 0: never.
ALTER TABLE job ADD COLUMN preempt_time BIGINT NOT NULL DEFAULT 0;
