-- Hours that were reconciled, so that one process does it and a difference is told once.
CREATE TABLE reconciled_hour (
  organization_id text NOT NULL,
  hour            timestamptz NOT NULL,
  -- Until then somebody reconciles it; one that dies leaves a claim that ends by itself.
  claimed_until   timestamptz,
  -- Null before the first time.
  checked_at      timestamptz,
  agrees          boolean NOT NULL DEFAULT false,
  -- Whether rows of the stores were compared too.
  with_stores     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, hour)
);
CALL keep_rows_to_their_organization('reconciled_hour');
GRANT SELECT, INSERT, UPDATE (claimed_until, checked_at, agrees, with_stores), DELETE ON reconciled_hour TO tidemark_application;

-- What differed, and when it no longer did.
CREATE TABLE reconciliation_difference (
  organization_id text NOT NULL,
  hour            timestamptz NOT NULL,
  environment_id  text NOT NULL,
  -- Empty where the stage before knows no metrics.
  metric          text NOT NULL,
  stage           text NOT NULL CHECK (stage IN ('metered', 'invoiced', 'lake', 'rolled_up', 'druid')),
  expected        numeric(38, 0) NOT NULL,
  found           numeric(38, 0) NOT NULL,
  first_seen_at   timestamptz NOT NULL,
  last_seen_at    timestamptz NOT NULL,
  -- Null until it was seen a second time: what is under way is not told.
  told_at         timestamptz,
  mended_at       timestamptz,
  PRIMARY KEY (organization_id, hour, environment_id, metric, stage)
);
CALL keep_rows_to_their_organization('reconciliation_difference');
GRANT SELECT, INSERT, UPDATE (expected, found, first_seen_at, last_seen_at, told_at, mended_at), DELETE
  ON reconciliation_difference TO tidemark_application;

-- Organisations whose hours are reconciled: all that are not deleted.
CREATE FUNCTION organizations_to_reconcile() RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT o.id FROM public.organization AS o WHERE o.state <> 'deleted' ORDER BY 1;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION organizations_to_reconcile() OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION organizations_to_reconcile() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_to_reconcile() TO tidemark_application;
