-- What was measured of a step: its figures (StepUse of usage.proto), and its samples over time
-- (model/use_series.h). Empty: nothing.
ALTER TABLE step ADD COLUMN use_figures $BYTES NOT NULL DEFAULT '';
ALTER TABLE step ADD COLUMN use_samples $BYTES NOT NULL DEFAULT '';
