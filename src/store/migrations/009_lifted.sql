-- Which limits an operator has lifted by setting the value; bits.
ALTER TABLE job ADD COLUMN lifted BIGINT NOT NULL DEFAULT 0;
