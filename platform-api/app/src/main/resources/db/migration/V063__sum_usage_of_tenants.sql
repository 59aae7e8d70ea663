-- What every organisation used in a month and in the one before, for who runs Tidemark. Sums only.
CREATE FUNCTION usage_of_organizations(month date, before date)
  RETURNS TABLE (organization_id text, meter text, units numeric, units_before numeric)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT u.organization_id, u.meter,
      coalesce(sum(u.units) FILTER (WHERE u.billed_month = month), 0),
      coalesce(sum(u.units) FILTER (WHERE u.billed_month = before), 0)
    FROM public.usage_entry AS u
    WHERE u.billed_month IN (month, before)
    GROUP BY 1, 2;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION usage_of_organizations(date, date) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION usage_of_organizations(date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION usage_of_organizations(date, date) TO tidemark_application;
