-- Whether an open minute raised the incident and no complete one has confirmed it.
ALTER TABLE incident ADD COLUMN is_early boolean NOT NULL DEFAULT false;
GRANT UPDATE (is_early) ON incident TO tidemark_application;
