-- A tombstone that Kafka took is written again for a day, in case the topic lost it, and then no more. Keys of removals never come
-- again: their rows go after a month. Other keys may, and keep their version.
ALTER TABLE control_record ADD COLUMN tombstone_taken_at timestamptz;
GRANT UPDATE (tombstone_taken_at), DELETE ON control_record TO tidemark_cross_tenant;
CREATE POLICY publisher_forgets ON control_record FOR DELETE TO tidemark_cross_tenant
  USING (topic = 'control.removals.v1' AND value IS NULL);

CREATE OR REPLACE FUNCTION control_records_to_publish(every boolean, after_topic text, after_key text, most integer)
  RETURNS TABLE (topic text, key text, value bytea, version bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT r.topic, r.key, r.value, r.version
    FROM public.control_record AS r
    WHERE (r.topic, r.key) > (after_topic, after_key)
      AND (r.published_version < r.version
        OR (every AND (r.value IS NOT NULL OR coalesce(r.tombstone_taken_at > now() - interval '1 day', true))))
    ORDER BY r.topic, r.key
    LIMIT most;
  END;

-- A tombstone of before this migration counts as taken when it is written again.
CREATE OR REPLACE FUNCTION control_record_is_published(of_topic text, of_key text, to_version bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    UPDATE public.control_record SET
      published_version = to_version,
      tombstone_taken_at = CASE WHEN value IS NULL AND version = to_version THEN now() END
    WHERE topic = of_topic AND key = of_key
      AND (published_version < to_version
        OR (published_version = to_version AND value IS NULL AND tombstone_taken_at IS NULL));
  END;

CREATE FUNCTION forget_control_records() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    DELETE FROM public.control_record
    WHERE topic = 'control.removals.v1' AND value IS NULL AND published_version = version
      AND tombstone_taken_at < now() - interval '30 days';
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION forget_control_records() OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION forget_control_records() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_control_records() TO tidemark_application;
