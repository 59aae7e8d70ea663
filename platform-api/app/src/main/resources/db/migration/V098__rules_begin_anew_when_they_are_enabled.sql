-- The first minute since a rule was made or enabled. Of rules of before it is not known: their versions go on in one another.
ALTER TABLE alert_rule ADD COLUMN enabled_from timestamptz NOT NULL DEFAULT 'epoch';
ALTER TABLE alert_rule ALTER COLUMN enabled_from DROP DEFAULT;
GRANT UPDATE (enabled_from) ON alert_rule TO tidemark_application;
