-- Quotas go with their environment.
GRANT DELETE ON quota TO tidemark_application;
