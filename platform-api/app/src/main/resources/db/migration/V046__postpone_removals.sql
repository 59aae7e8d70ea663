-- While the pipeline is behind, what was accepted is still on its way: a removal settles later. accepted_until stays what it was
-- at first: up to there the pipeline must be complete. Null: nothing was postponed.
ALTER TABLE removal ADD COLUMN accepted_until timestamptz;
GRANT UPDATE (settled_from, accepted_until) ON removal TO tidemark_application;
