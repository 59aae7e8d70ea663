-- What the doors do while a budget of series is exceeded; null is what stands above, and in the end the plan's.
ALTER TABLE environment
  ADD COLUMN when_series_exceeded text CHECK (when_series_exceeded IN ('fold', 'refuse'));
ALTER TABLE organization
  ADD COLUMN when_series_exceeded text CHECK (when_series_exceeded IN ('fold', 'refuse'));

GRANT UPDATE (when_series_exceeded) ON environment TO tidemark_application;
GRANT UPDATE (when_series_exceeded) ON organization TO tidemark_application;
