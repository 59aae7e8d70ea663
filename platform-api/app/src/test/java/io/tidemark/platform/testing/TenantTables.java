package io.tidemark.platform.testing;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the database's catalog says about the tables of the application. */
public final class TenantTables {

  /** A table and the column that says whose a row is. */
  public record TenantTable(String name, String organizationColumn) {

    @Override
    public String toString() {
      return name;
    }
  }

  private TenantTables() {}

  /** Every table of the schema but Flyway's own history. */
  public static List<TenantTable> all(JdbcClient database) {
    return database
        .sql(
            """
            SELECT relname FROM pg_class
            WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
              AND relname <> 'flyway_schema_history'
            ORDER BY relname
            """)
        .query(String.class)
        .list()
        .stream()
        .map(name -> new TenantTable(name, name.equals("organization") ? "id" : "organization_id"))
        .toList();
  }

  /** What the catalog shows that would let rows of other organisations through; empty when safe. */
  public static List<String> faults(JdbcClient database) {
    return database
        .sql(
            """
            SELECT relname || ' is not kept to its organisation (ENABLE and FORCE ROW LEVEL SECURITY)'
            FROM pg_class
            WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
              AND relname <> 'flyway_schema_history'
              AND NOT (relrowsecurity AND relforcerowsecurity)
            UNION ALL
            SELECT p.tablename || ' has a policy beyond the agreed ones: ' || p.policyname
            FROM pg_policies AS p
            WHERE p.schemaname = 'public'
              AND NOT (p.policyname = 'own_rows' AND p.roles = '{tidemark_application}'
                AND p.cmd = 'ALL' AND p.permissive = 'PERMISSIVE'
                AND p.qual LIKE '(%id = current_organization())' AND p.with_check = p.qual)
              AND NOT (p.tablename = 'control_record' AND p.policyname = 'publisher_marks'
                AND p.roles = '{tidemark_cross_tenant}' AND p.cmd = 'UPDATE')
              AND NOT (p.tablename = 'control_record' AND p.policyname = 'publisher_forgets'
                AND p.roles = '{tidemark_cross_tenant}' AND p.cmd = 'DELETE')
              AND NOT (p.policyname = 'every_row_for_reading' AND p.roles = '{tidemark_cross_tenant}'
                AND p.cmd = 'SELECT')
            UNION ALL
            SELECT relname || ' is a view or a materialised view, which reads with its owner''s rights'
            FROM pg_class
            WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace
              AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)
            UNION ALL
            SELECT relname || ' is a table outside the schemas public (of tenants), identity and processes'
            FROM pg_class
            WHERE relkind IN ('r', 'p')
              AND relnamespace::regnamespace::text NOT IN
                ('public', 'identity', 'processes', 'pg_catalog', 'information_schema')
              AND relnamespace::regnamespace::text NOT LIKE 'pg_t%'
            UNION ALL
            SELECT relname || ' names an organisation, so it belongs to the schema public'
            FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            WHERE relnamespace IN ('identity'::regnamespace, 'processes'::regnamespace) AND attname LIKE 'organi%ation%'
            UNION ALL
            SELECT relname || ' is owned by the application'
            FROM pg_class WHERE pg_get_userbyid(relowner) = 'tidemark_application'
            UNION ALL
            SELECT rolname || ' may pass row-level security'
            FROM pg_roles
            WHERE rolname IN ('tidemark_application', 'tidemark_cross_tenant')
              AND (rolsuper OR rolbypassrls OR rolcreaterole)
            UNION ALL
            SELECT 'tidemark_application is a member of ' || roleid::regrole
            FROM pg_auth_members WHERE member = 'tidemark_application'::regrole
            UNION ALL
            SELECT 'tidemark_application may empty ' || relname
            FROM pg_class
            WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
              AND has_table_privilege('tidemark_application', oid, 'TRUNCATE')
            UNION ALL
            SELECT proname || ' runs with its owner''s rights and is not an agreed way across organisations'
            FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace AND prosecdef
              AND proname NOT IN ('find_api_key', 'control_records_to_publish', 'forget_control_records',
                'control_record_is_published', 'environments_without_control_record',
                'environments_to_finish_deleting', 'organizations_to_finish_deleting',
                'memberships_of_person', 'is_disabled_everywhere', 'find_invitation', 'removals_to_advance',
                'environments_to_expire', 'environments_to_clear', 'organizations_with_audit_log',
                'invoices_due', 'organizations_with_spending_budget', 'usage_of_organizations',
                'organizations_with_usage_tally', 'organizations_to_reconcile',
                'deliveries_due', 'heartbeats_due', 'incidents_suppressed', 'organizations_with_old_alerts',
                'organizations_with_old_deliveries', 'organizations_with_integrations', 'dead_letter_replays_due',
                'deliveries_waiting', 'reconciliation_differences_open', 'removals_to_advance_in')
            UNION ALL
            SELECT proname || ' may be called by everyone, or looks names up where others can write'
            FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace AND prosecdef
              AND (has_function_privilege('public', oid, 'EXECUTE')
                OR NOT coalesce('search_path=pg_catalog, public, pg_temp' = ANY (proconfig), false))
            """)
        .query(String.class)
        .list();
  }
}
