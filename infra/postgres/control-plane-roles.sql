-- Who owns the control plane's database: tidemark_owner migrates, and is neither superuser nor maker of roles. Run in that database by
-- a superuser after roles.sql, harmless when run again; passwords are set by whoever runs it.
DO $$
DECLARE
  owned text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidemark_owner') THEN
    CREATE ROLE tidemark_owner LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidemark_cross_tenant') THEN
    CREATE ROLE tidemark_cross_tenant NOLOGIN;
  END IF;
  -- Functions that look over all organisations are handed over to it.
  GRANT tidemark_cross_tenant TO tidemark_owner;
  -- What a stack that is older than the role made as a superuser.
  FOR owned IN
    SELECT format('TABLE %s', oid::regclass) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND relowner <> 'tidemark_owner'::regrole
    UNION ALL
    SELECT format('SEQUENCE %s', oid::regclass) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND relowner <> 'tidemark_owner'::regrole
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND classid = 'pg_class'::regclass AND deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND proowner NOT IN ('tidemark_owner'::regrole, 'tidemark_cross_tenant'::regrole)
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    UNION ALL
    SELECT format('TYPE %s', oid::regtype) FROM pg_type
      WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') AND typowner <> 'tidemark_owner'::regrole
  LOOP
    EXECUTE format('ALTER %s OWNER TO tidemark_owner', owned);
  END LOOP;
END $$;

ALTER DATABASE tidemark OWNER TO tidemark_owner;
REVOKE ALL ON DATABASE tidemark FROM PUBLIC;
GRANT CONNECT ON DATABASE tidemark TO tidemark_application;
