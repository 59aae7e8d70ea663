-- Budgets of all environments of an organisation that have none of their own; null is the plan's.
ALTER TABLE organization
  ADD COLUMN active_series         bigint CHECK (active_series > 0),
  ADD COLUMN new_series_per_minute bigint CHECK (new_series_per_minute > 0),
  ADD COLUMN labels_per_series     integer CHECK (labels_per_series > 0),
  ADD COLUMN label_keys_per_metric integer CHECK (label_keys_per_metric > 0),
  ADD COLUMN label_value_length    integer CHECK (label_value_length > 0),
  ADD COLUMN budgets_version       bigint NOT NULL DEFAULT 1,
  ADD COLUMN budgets_updated_at    timestamptz NOT NULL DEFAULT now();

GRANT UPDATE (active_series, new_series_per_minute, labels_per_series, label_keys_per_metric, label_value_length,
              budgets_version, budgets_updated_at)
  ON organization TO tidemark_application;
