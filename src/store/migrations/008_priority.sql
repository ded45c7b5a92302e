-- What a job is billed each second, in millionths: of what it asks for and of what it was given;
-- -1: its CPUs. What an operator adds to its priority.
ALTER TABLE job ADD COLUMN billing_asked BIGINT NOT NULL DEFAULT -1;
ALTER TABLE job ADD COLUMN billing BIGINT NOT NULL DEFAULT -1;
ALTER TABLE job ADD COLUMN site_factor BIGINT NOT NULL DEFAULT 0;
