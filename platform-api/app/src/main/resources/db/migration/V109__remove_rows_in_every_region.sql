-- Second regions have stores of their own, and remove rows from them by themselves. A region says that it is there; one that is given up
-- for good is deleted here, with its rows of removal_in_region.
CREATE TABLE processes.region (
  name    text PRIMARY KEY,
  seen_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE (seen_at) ON processes.region TO tidemark_application;

-- Once the first region has none of a metric left, it may be sent again while others still remove it: the rules are bounded then.
GRANT UPDATE (rules) ON removal TO tidemark_application;

-- A removal in the stores of a second region; its columns are those of removal.
CREATE TABLE removal_in_region (
  organization_id text NOT NULL,
  removal_id      text NOT NULL,
  region          text NOT NULL REFERENCES processes.region (name) ON DELETE CASCADE,
  settled_from    timestamptz NOT NULL,
  accepted_until  timestamptz,
  druid           jsonb NOT NULL,
  lake            jsonb NOT NULL,
  claimed_until   timestamptz,
  done_at         timestamptz,
  PRIMARY KEY (organization_id, removal_id, region),
  FOREIGN KEY (organization_id, removal_id) REFERENCES removal (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX removal_in_region_of_region ON removal_in_region (region);
CALL keep_rows_to_their_organization('removal_in_region');
GRANT SELECT, INSERT, UPDATE (settled_from, accepted_until, druid, lake, claimed_until, done_at)
  ON removal_in_region TO tidemark_application;
GRANT SELECT ON removal_in_region TO tidemark_cross_tenant;

-- A region that comes later reads up to seven days of points again, and may have been there before it could remove anything: it also does
-- what is finished elsewhere. Of what has expired it does what it began; the next run finds the rest.
CREATE INDEX removal_for_regions ON removal (created_at) WHERE finished_at IS NULL OR kind <> 'retention';
CREATE INDEX removal_in_region_running ON removal_in_region (region) WHERE done_at IS NULL;

CREATE FUNCTION removals_to_advance_in(region_name text, at timestamptz)
  RETURNS TABLE (organization_id text, removal_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT r.organization_id, r.id
    FROM public.removal AS r
    LEFT JOIN public.removal_in_region AS g
      ON g.organization_id = r.organization_id AND g.removal_id = r.id AND g.region = region_name
    WHERE (r.finished_at IS NULL OR r.kind <> 'retention') AND g.removal_id IS NULL
    UNION ALL
    SELECT g.organization_id, g.removal_id
    FROM public.removal_in_region AS g
    WHERE g.region = region_name AND g.done_at IS NULL AND (g.claimed_until IS NULL OR g.claimed_until <= at);
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION removals_to_advance_in(text, timestamptz) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION removals_to_advance_in(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION removals_to_advance_in(text, timestamptz) TO tidemark_application;
