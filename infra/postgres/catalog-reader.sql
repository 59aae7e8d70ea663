-- The role that reads the Iceberg catalog and can write nothing. Run in the catalog's database by its owner whenever the lake's
-- tables are provisioned, and harmless when run again; the password is set by provisioning. An owner that may not make roles
-- needs the first statement done before.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'tidemark_catalog_reader') THEN
    CREATE ROLE tidemark_catalog_reader LOGIN;
  END IF;
END $$;

GRANT USAGE ON SCHEMA public TO tidemark_catalog_reader;
GRANT SELECT ON iceberg_tables, iceberg_namespace_properties TO tidemark_catalog_reader;
