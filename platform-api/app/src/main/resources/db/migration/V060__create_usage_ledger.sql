-- What was used: the parts of usage.records.v1, one row a record and meter, in one chain per organisation. Rows are added and
-- never changed: the application may not, and a trigger refuses it to everybody else. Without foreign keys: use of an
-- environment that is deleted since is use all the same.
CREATE TABLE usage_entry (
  organization_id  text NOT NULL,
  sequence         bigint NOT NULL CHECK (sequence > 0),
  -- Of the usage record; the same record is entered once.
  record_id        bytea NOT NULL CHECK (octet_length(record_id) = 32),
  meter            text NOT NULL,
  meters_version   integer NOT NULL,
  environment_id   text NOT NULL,
  resource_type    text NOT NULL,
  resource_id      text NOT NULL,
  metric           text NOT NULL,
  units            numeric(38, 0) NOT NULL CHECK (units > 0),
  -- The hour of receipt that the record names.
  hour             timestamptz NOT NULL,
  -- The hour by which it is priced: the same, but for a clock that ran ahead.
  rated_hour       timestamptz NOT NULL,
  -- First day of the month whose invoice holds it.
  billed_month     date NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('usage', 'adjustment')),
  -- Of an adjustment.
  reason           text CHECK (reason IN ('PERIOD_CLOSED', 'CLOCK_AHEAD')),
  metered_at       timestamptz NOT NULL,
  recorded_at      timestamptz NOT NULL,
  -- The first batch that the record holds.
  source_partition integer NOT NULL,
  source_offset    bigint NOT NULL,
  previous_hash    bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
  hash             bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (organization_id, sequence),
  UNIQUE (organization_id, record_id, meter),
  CHECK ((kind = 'adjustment') = (reason IS NOT NULL))
);
CREATE INDEX usage_entry_by_hour ON usage_entry (organization_id, meter, rated_hour) INCLUDE (billed_month, units);
CREATE INDEX usage_entry_by_month ON usage_entry (organization_id, billed_month, kind);
CALL keep_rows_to_their_organization('usage_entry');
GRANT SELECT, INSERT ON usage_entry TO tidemark_application;

-- The end of each chain. Locked by whoever appends or closes a month, so that there is one next entry and no entry of a month
-- that is being closed.
CREATE TABLE usage_head (
  organization_id text PRIMARY KEY,
  sequence        bigint NOT NULL DEFAULT 0,
  hash            bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (octet_length(hash) = 32)
);
CALL keep_rows_to_their_organization('usage_head');
GRANT SELECT, INSERT, UPDATE (sequence, hash) ON usage_head TO tidemark_application;

-- Records that came again with the same id and other contents: never added, never forgotten.
CREATE TABLE usage_conflict (
  organization_id text NOT NULL,
  record_id       bytea NOT NULL CHECK (octet_length(record_id) = 32),
  meter           text NOT NULL,
  entered_units   numeric(38, 0) NOT NULL,
  refused_units   numeric(38, 0) NOT NULL,
  seen_at         timestamptz NOT NULL,
  PRIMARY KEY (organization_id, record_id, meter, refused_units)
);
CALL keep_rows_to_their_organization('usage_conflict');
GRANT SELECT, INSERT ON usage_conflict TO tidemark_application;

-- Plans as they were chosen. A later version with the same date replaces the earlier one from that date on.
CREATE TABLE plan_version (
  organization_id text NOT NULL REFERENCES organization (id),
  version         bigint NOT NULL CHECK (version > 0),
  effective_from  date NOT NULL,
  -- The plan as JSON, prices included: a contract that changes later changes nothing here.
  plan            text NOT NULL,
  chosen_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, version)
);
CALL keep_rows_to_their_organization('plan_version');
GRANT SELECT, INSERT ON plan_version TO tidemark_application;

-- Closed invoices, as issued.
CREATE TABLE invoice (
  organization_id  text NOT NULL REFERENCES organization (id),
  month            date NOT NULL CHECK (extract(day FROM month) = 1),
  number           text NOT NULL,
  document         text NOT NULL,
  hash             bytea NOT NULL CHECK (octet_length(hash) = 32),
  through_sequence bigint NOT NULL,
  closed_at        timestamptz NOT NULL,
  PRIMARY KEY (organization_id, month),
  UNIQUE (organization_id, number)
);
CALL keep_rows_to_their_organization('invoice');
GRANT SELECT, INSERT ON invoice TO tidemark_application;

-- Double entry of closed invoices: the debits of a posting are its credits.
CREATE TABLE ledger_posting (
  organization_id text NOT NULL,
  month           date NOT NULL,
  line            integer NOT NULL CHECK (line > 0),
  account         text NOT NULL CHECK (account IN ('receivable', 'revenue', 'discount', 'adjustment', 'tax')),
  currency        text NOT NULL,
  debit           numeric(38, 12) NOT NULL CHECK (debit >= 0),
  credit          numeric(38, 12) NOT NULL CHECK (credit >= 0),
  line_id         text NOT NULL,
  CHECK (debit = 0 OR credit = 0),
  PRIMARY KEY (organization_id, month, line),
  FOREIGN KEY (organization_id, month) REFERENCES invoice (organization_id, month)
);
CALL keep_rows_to_their_organization('ledger_posting');
GRANT SELECT, INSERT ON ledger_posting TO tidemark_application;

CREATE FUNCTION refuse_to_change_billing() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Rows of % are never changed or removed; what was wrong is corrected by an adjustment', TG_TABLE_NAME
    USING ERRCODE = '42501';
END
$$;
DO $$
DECLARE
  target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['usage_entry', 'usage_conflict', 'plan_version', 'invoice', 'ledger_posting'] LOOP
    EXECUTE format(
      'CREATE TRIGGER rows_stay BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_to_change_billing()', target);
    EXECUTE format(
      'CREATE TRIGGER all_rows_stay BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_billing()', target);
  END LOOP;
END
$$;

-- Months that are over and have no invoice, of every organisation that used something or chose a plan.
GRANT SELECT ON organization, usage_entry, plan_version, invoice TO tidemark_cross_tenant;
CREATE FUNCTION invoices_due(before date) RETURNS TABLE (organization_id text, month date)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT o.id, m.month::date
    FROM public.organization AS o
    CROSS JOIN LATERAL (
      SELECT least(
        (SELECT min(u.billed_month) FROM public.usage_entry AS u WHERE u.organization_id = o.id),
        (SELECT date_trunc('month', min(p.effective_from))::date FROM public.plan_version AS p WHERE p.organization_id = o.id)
      ) AS month
    ) AS first
    CROSS JOIN LATERAL generate_series(first.month::timestamp, before::timestamp - interval '1 day', interval '1 month') AS m (month)
    WHERE first.month IS NOT NULL
      AND NOT EXISTS (SELECT FROM public.invoice AS i WHERE i.organization_id = o.id AND i.month = m.month::date)
    ORDER BY 1, 2;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION invoices_due(date) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION invoices_due(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invoices_due(date) TO tidemark_application;
