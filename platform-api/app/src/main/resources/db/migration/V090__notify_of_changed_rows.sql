-- Processes remember keys, quotas and budgets for some seconds. These triggers tell them at commit whose rows changed, so that they
-- ask again at once. A payload names a kind of row and an identifier, nothing else of a tenant.
CREATE FUNCTION processes.notify_of_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
  AS $$
  DECLARE
    changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  BEGIN
    PERFORM pg_notify('tidemark_row_changes', TG_ARGV[0] || ' ' || (changed ->> TG_ARGV[1]));
    RETURN NULL;
  END
  $$;

-- A new key is told, too: that there is none is remembered. When a key was last used is not.
CREATE TRIGGER notify_of_new_key AFTER INSERT ON api_key
  FOR EACH ROW EXECUTE FUNCTION processes.notify_of_change('api_key', 'id');
CREATE TRIGGER notify_of_changed_key AFTER UPDATE OF secret_hmac, scopes, revoked_at, expires_at ON api_key
  FOR EACH ROW EXECUTE FUNCTION processes.notify_of_change('api_key', 'id');

-- What a key may do depends on these as well, and budgets stand in the first two.
CREATE TRIGGER notify_of_changed_organization AFTER UPDATE ON organization
  FOR EACH ROW EXECUTE FUNCTION processes.notify_of_change('organization', 'id');
CREATE TRIGGER notify_of_changed_environment AFTER UPDATE ON environment
  FOR EACH ROW EXECUTE FUNCTION processes.notify_of_change('organization', 'organization_id');
CREATE TRIGGER notify_of_changed_service_account AFTER UPDATE ON service_account
  FOR EACH ROW EXECUTE FUNCTION processes.notify_of_change('organization', 'organization_id');

CREATE TRIGGER notify_of_changed_quota AFTER INSERT OR UPDATE OR DELETE ON quota
  FOR EACH ROW EXECUTE FUNCTION processes.notify_of_change('quota', 'organization_id');
