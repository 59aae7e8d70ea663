-- The rollup job counts what it takes: a stage of its own.
ALTER TABLE reconciliation_difference DROP CONSTRAINT reconciliation_difference_stage_check;
ALTER TABLE reconciliation_difference ADD CONSTRAINT reconciliation_difference_stage_check
  CHECK (stage IN ('metered', 'invoiced', 'rollup_job', 'lake', 'rolled_up', 'druid'));
