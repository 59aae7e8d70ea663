package io.tidemark.platform.outbox;

import io.tidemark.platform.shared.TenantId;
import java.sql.Types;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table control_record. */
@Repository
class JdbcControlRecords {

  private final JdbcClient jdbc;

  JdbcControlRecords(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Makes or locks the record and counts its version up; the value is set next. */
  long nextVersion(TenantId organization, String topic, String key) {
    return jdbc.sql(
            """
            INSERT INTO control_record (organization_id, topic, key, value)
            VALUES (:organization, :topic, :key, ''::bytea)
            ON CONFLICT (topic, key) DO UPDATE SET version = control_record.version + 1
            RETURNING version
            """)
        .param("organization", organization.value())
        .param("topic", topic)
        .param("key", key)
        .query(Long.class)
        .single();
  }

  void setValue(TenantId organization, String topic, String key, byte @Nullable [] value) {
    jdbc.sql(
            """
            UPDATE control_record SET value = :value
            WHERE organization_id = :organization AND topic = :topic AND key = :key
            """)
        .param("organization", organization.value())
        .param("topic", topic)
        .param("key", key)
        .param("value", value, Types.BINARY)
        .update();
  }
}
