-- What was granted to an organisation or paid ahead, and which closed invoices it paid. Rows are added and never changed.
CREATE TABLE credit (
  organization_id text NOT NULL REFERENCES organization (id),
  id              text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('promotional', 'prepaid')),
  amount          numeric(38, 12) NOT NULL CHECK (amount > 0),
  currency        text NOT NULL,
  description     text NOT NULL,
  valid_from      date NOT NULL,
  valid_until     date CHECK (valid_until >= valid_from),
  granted_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CALL keep_rows_to_their_organization('credit');
GRANT SELECT, INSERT ON credit TO tidemark_application;

CREATE TABLE credit_use (
  organization_id text NOT NULL,
  credit_id       text NOT NULL,
  month           date NOT NULL,
  amount          numeric(38, 12) NOT NULL CHECK (amount > 0),
  PRIMARY KEY (organization_id, credit_id, month),
  FOREIGN KEY (organization_id, credit_id) REFERENCES credit (organization_id, id),
  FOREIGN KEY (organization_id, month) REFERENCES invoice (organization_id, month)
);
CALL keep_rows_to_their_organization('credit_use');
GRANT SELECT, INSERT ON credit_use TO tidemark_application;

ALTER TABLE ledger_posting DROP CONSTRAINT ledger_posting_account_check;
ALTER TABLE ledger_posting ADD CONSTRAINT ledger_posting_account_check
  CHECK (account IN ('receivable', 'revenue', 'discount', 'adjustment', 'tax', 'credit'));

DO $$
DECLARE
  target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['credit', 'credit_use', 'spending_threshold'] LOOP
    EXECUTE format(
      'CREATE TRIGGER rows_stay BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_to_change_billing()', target);
    EXECUTE format(
      'CREATE TRIGGER all_rows_stay BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_billing()', target);
  END LOOP;
END
$$;
