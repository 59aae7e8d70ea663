-- What an organisation wants to spend in a month, and who is told of that and of closed invoices.
CREATE TABLE spending_budget (
  organization_id   text PRIMARY KEY REFERENCES organization (id),
  -- Of a month, before tax, in the currency of its invoice; without one there is no limit to tell of.
  amount            numeric(38, 12) CHECK (amount > 0),
  thresholds        integer[] NOT NULL,
  -- The quota of the organisation from the moment that all of the amount is spent; without one it stays.
  points_per_second bigint CHECK (points_per_second > 0),
  integration_ids   text[] NOT NULL,
  version           bigint NOT NULL CHECK (version > 0),
  updated_at        timestamptz NOT NULL
);
CALL keep_rows_to_their_organization('spending_budget');
GRANT SELECT, INSERT, UPDATE (amount, thresholds, points_per_second, integration_ids, version, updated_at)
  ON spending_budget TO tidemark_application;

-- Thresholds that a month has reached, each told once.
CREATE TABLE spending_threshold (
  organization_id text NOT NULL,
  month           date NOT NULL CHECK (extract(day FROM month) = 1),
  percent         integer NOT NULL,
  amount          numeric(38, 12) NOT NULL,
  spent           numeric(38, 12) NOT NULL,
  currency        text NOT NULL,
  reached_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, month, percent)
);
CALL keep_rows_to_their_organization('spending_threshold');
GRANT SELECT, INSERT ON spending_threshold TO tidemark_application;

-- A quota that was lowered because a budget is spent, and what it was; without a number it was the plan's.
CREATE TABLE lowered_quota (
  organization_id            text PRIMARY KEY,
  month                      date NOT NULL,
  points_per_second          bigint NOT NULL,
  previous_points_per_second bigint,
  lowered_at                 timestamptz NOT NULL
);
CALL keep_rows_to_their_organization('lowered_quota');
GRANT SELECT, INSERT, DELETE ON lowered_quota TO tidemark_application;

-- Organisations whose spending is watched, or whose quota is to be given back.
GRANT SELECT ON spending_budget, lowered_quota TO tidemark_cross_tenant;
CREATE FUNCTION organizations_with_spending_budget() RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT b.organization_id FROM public.spending_budget AS b WHERE b.amount IS NOT NULL
    UNION
    SELECT q.organization_id FROM public.lowered_quota AS q
    ORDER BY 1;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION organizations_with_spending_budget() OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION organizations_with_spending_budget() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_spending_budget() TO tidemark_application;
