-- What processes of platform-api counted, by process and hour, until the usage ledger has it. Each process adds to rows of its own;
-- what one wrote before it was killed stays and is entered by whichever process comes next.
CREATE TABLE usage_tally (
  organization_id text NOT NULL,
  -- A run of a process; 'sample' for what is measured once an hour whoever measures it.
  process         text NOT NULL,
  hour            timestamptz NOT NULL,
  -- Empty, like the three below, where use belongs to none.
  environment_id  text NOT NULL,
  resource_type   text NOT NULL,
  resource_id     text NOT NULL,
  metric          text NOT NULL,
  meter           text NOT NULL,
  units           numeric(38, 0) NOT NULL CHECK (units > 0),
  -- Of these, what the ledger has, in so many parts.
  entered         numeric(38, 0) NOT NULL DEFAULT 0 CHECK (entered >= 0 AND entered <= units),
  parts           integer NOT NULL DEFAULT 0 CHECK (parts >= 0),
  entered_at      timestamptz,
  -- The last portion of its process that was added: one whose outcome is not known is sent again and added once.
  portion         bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, process, hour, environment_id, resource_type, resource_id, metric, meter)
);
CREATE INDEX usage_tally_open ON usage_tally (organization_id, hour) WHERE entered < units;
CALL keep_rows_to_their_organization('usage_tally');
GRANT SELECT, INSERT, UPDATE (units, entered, parts, entered_at, portion), DELETE ON usage_tally TO tidemark_application;

-- Organisations that have something to enter, or to forget.
GRANT SELECT ON usage_tally TO tidemark_cross_tenant;
CREATE FUNCTION organizations_with_usage_tally() RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT DISTINCT t.organization_id FROM public.usage_tally AS t ORDER BY 1;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION organizations_with_usage_tally() OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION organizations_with_usage_tally() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_usage_tally() TO tidemark_application;
