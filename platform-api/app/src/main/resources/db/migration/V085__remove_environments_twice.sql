-- Environments that are deleted and whose data were never removed, or not yet for the last time. The last removal is one that began
-- eight days or more after the first, however many instances began the first.
CREATE OR REPLACE FUNCTION environments_to_clear(once_before timestamptz) RETURNS TABLE (organization_id text, environment_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT e.organization_id, e.id
    FROM public.environment AS e
    LEFT JOIN public.removal AS r
      ON r.organization_id = e.organization_id AND r.environment_id = e.id AND r.kind = 'environment'
    WHERE e.state = 'deleted'
    GROUP BY e.organization_id, e.id
    HAVING count(r.id) = 0
      OR (count(r.id) = count(r.finished_at) AND max(r.created_at) <= once_before
        AND max(r.created_at) < min(r.created_at) + interval '8 days');
  END;
