-- Messages that carry several transitions. They are written before their first attempt, so that every attempt sends the same.
CREATE TABLE grouped_message (
  organization_id  text NOT NULL,
  id               text NOT NULL,
  integration_id   text NOT NULL,
  message_id       text NOT NULL,
  body             text NOT NULL,
  transition_count integer NOT NULL,
  created_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, integration_id) REFERENCES integration (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX grouped_message_age ON grouped_message (organization_id, created_at);
CREATE INDEX grouped_message_of_integration ON grouped_message (organization_id, integration_id);
CALL keep_rows_to_their_organization('grouped_message');
GRANT SELECT, INSERT, DELETE ON grouped_message TO tidemark_application;

-- What those that may share a message have in common, and what it says of this one; null of a delivery that goes by itself.
ALTER TABLE delivery ADD COLUMN group_name text, ADD COLUMN line text, ADD COLUMN carried_in text;
CREATE INDEX delivery_carried ON delivery (organization_id, carried_in, number) WHERE carried_in IS NOT NULL;
CREATE INDEX delivery_incident ON delivery (organization_id, integration_id, incident_id, number) WHERE state = 'waiting';
GRANT UPDATE (carried_in) ON delivery TO tidemark_application;

-- As before, and nothing overtakes an earlier transition of its incident that is of another order: grouping was changed in between.
CREATE OR REPLACE FUNCTION deliveries_due(at timestamptz, most integer, of_each integer)
  RETURNS TABLE (organization_id text, delivery_id text, integration_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    WITH RECURSIVE waiting AS (
      (SELECT d.organization_id, d.integration_id
       FROM public.delivery AS d WHERE d.state = 'waiting'
       ORDER BY d.organization_id, d.integration_id LIMIT 1)
      UNION ALL
      SELECT following.organization_id, following.integration_id
      FROM waiting AS w
      CROSS JOIN LATERAL (
        SELECT d.organization_id, d.integration_id
        FROM public.delivery AS d
        WHERE d.state = 'waiting' AND (d.organization_id, d.integration_id) > (w.organization_id, w.integration_id)
        ORDER BY d.organization_id, d.integration_id LIMIT 1) AS following
    )
    SELECT i.organization_id, due.id, i.id
    FROM waiting AS w
    JOIN public.integration AS i ON i.organization_id = w.organization_id AND i.id = w.integration_id
    CROSS JOIN LATERAL (
      SELECT d.id, d.next_attempt_at
      FROM public.delivery AS d
      WHERE d.organization_id = i.organization_id AND d.integration_id = i.id AND d.state = 'waiting'
        AND d.next_attempt_at <= at AND (d.claimed_until IS NULL OR d.claimed_until <= at)
        AND NOT EXISTS (
          SELECT FROM public.delivery AS before
          WHERE before.organization_id = d.organization_id AND before.integration_id = d.integration_id
            AND before.order_key = d.order_key AND before.state = 'waiting' AND before.number < d.number)
        AND NOT EXISTS (
          SELECT FROM public.delivery AS before
          WHERE before.organization_id = d.organization_id AND before.integration_id = d.integration_id
            AND before.incident_id = d.incident_id AND before.state = 'waiting' AND before.number < d.number)
      ORDER BY d.next_attempt_at
      LIMIT of_each) AS due
    WHERE i.disabled_reason IS NULL AND (i.definition ->> 'enabled')::boolean
      AND (i.paused_until IS NULL OR i.paused_until <= at)
    ORDER BY due.next_attempt_at
    LIMIT most;
  END;
