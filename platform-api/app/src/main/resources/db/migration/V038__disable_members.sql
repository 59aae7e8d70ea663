-- A member who is disabled keeps their place and what they are in the organisation, and gets nothing by it.
ALTER TABLE membership ADD COLUMN disabled_at timestamptz;
GRANT UPDATE (disabled_at) ON membership TO tidemark_application;

CREATE OR REPLACE FUNCTION memberships_of_person(of_person text)
  RETURNS TABLE (organization_id text, grants text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT m.organization_id, m.grants
    FROM public.membership AS m
    JOIN public.organization AS o ON o.id = m.organization_id
    WHERE m.person_id = of_person AND m.disabled_at IS NULL AND o.state <> 'deleted'
    ORDER BY m.organization_id;
  END;

-- Whether everybody who knows the person has disabled them; somebody who belongs to no organisation is not disabled.
CREATE FUNCTION is_disabled_everywhere(of_person text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT coalesce(bool_and(m.disabled_at IS NOT NULL), false)
    FROM public.membership AS m
    JOIN public.organization AS o ON o.id = m.organization_id
    WHERE m.person_id = of_person AND o.state <> 'deleted';
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION is_disabled_everywhere(text) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION is_disabled_everywhere(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_disabled_everywhere(text) TO tidemark_application;
