-- What a sender said of a metric (OTLP's description); a declaration's wins over it. Control characters are taken out before.
ALTER TABLE metric_sighting
  ADD COLUMN description text NOT NULL DEFAULT '' CHECK (length(description) <= 1024);
GRANT UPDATE (description) ON metric_sighting TO tidemark_application;
