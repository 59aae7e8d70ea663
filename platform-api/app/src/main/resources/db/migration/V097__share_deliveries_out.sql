-- Messages whose time has come, few of each integration: one with thousands, or one that nobody enables, keeps none from the others.
-- The function with two arguments stays for processes of the version before.
CREATE INDEX delivery_waiting_of_integration ON delivery (organization_id, integration_id, next_attempt_at) WHERE state = 'waiting';

CREATE FUNCTION deliveries_due(at timestamptz, most integer, of_each integer)
  RETURNS TABLE (organization_id text, delivery_id text, integration_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    -- From one integration that has messages to the next, without reading all of theirs.
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
      ORDER BY d.next_attempt_at
      LIMIT of_each) AS due
    WHERE i.disabled_reason IS NULL AND (i.definition ->> 'enabled')::boolean
      AND (i.paused_until IS NULL OR i.paused_until <= at)
    ORDER BY due.next_attempt_at
    LIMIT most;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION deliveries_due(timestamptz, integer, integer) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION deliveries_due(timestamptz, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deliveries_due(timestamptz, integer, integer) TO tidemark_application;
