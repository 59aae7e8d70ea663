-- Roles of the embedded stack and of Compose, each with what it needs. Run in the catalog's database by a superuser, harmless when
-- run again; passwords are set by whoever runs it. An installation whose PostgreSQL is somebody else's has the same roles made there.
DO $$
DECLARE
  role text;
  owned text;
BEGIN
  FOREACH role IN ARRAY ARRAY['tidemark_lake', 'tidemark_catalog_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', role);
    END IF;
  END LOOP;
  -- It logs in once platform-api has given it a password.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidemark_application') THEN
    CREATE ROLE tidemark_application NOLOGIN;
  END IF;
  -- Tables of a stack that is older than the role.
  FOR owned IN
    SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public' AND tableowner <> 'tidemark_lake'
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO tidemark_lake', owned);
  END LOOP;
END $$;

ALTER DATABASE iceberg OWNER TO tidemark_lake;
REVOKE ALL ON DATABASE tidemark, iceberg, postgres FROM PUBLIC;
GRANT CONNECT ON DATABASE tidemark TO tidemark_application;
GRANT CONNECT ON DATABASE iceberg TO tidemark_catalog_reader;
