package io.tidemark.provision;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.provision.LakeRows.Part;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * A datasource that {@code infra/druid/ingestion} declares, the own ones of placements too.
 *
 * @param lakeTable where the lake has its rows, and maybe those of other datasources
 * @param firstDay the first that load rules keep today
 * @param since the first day of which it may have rows
 */
record DruidTable(
    String name,
    String lakeTable,
    String topic,
    ObjectNode spec,
    LocalDate firstDay,
    LocalDate since,
    boolean isByMonth) {
  /** Days that one task replaces: a segment must not be shared by two of them. */
  record Span(LocalDate begin, LocalDate end) {
    String interval() {
      return begin + "T00:00:00.000Z/" + end + "T00:00:00.000Z";
    }
  }

  /** All that are declared, as they would be sent to Druid. */
  static List<DruidTable> all(Addresses addresses, Instant now) {
    InfraFiles files = addresses.files();
    List<DruidTable> tables = new ArrayList<>();
    LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
    for (SupervisorSpec supervisor : SupervisorSpec.all(addresses)) {
      ObjectNode spec = supervisor.spec();
      String name = supervisor.name();
      tables.add(
          new DruidTable(
              name,
              supervisor.shared(),
              spec.at("/spec/ioConfig/topic").asText(),
              spec,
              LoadPeriod.firstDay(files.json(DruidSetup.loadRules(files, name)), today),
              supervisor
                  .placement()
                  .map(own -> own.from().atZone(ZoneOffset.UTC).toLocalDate())
                  .orElse(LocalDate.MIN),
              isByMonth(
                  supervisor.file(),
                  spec.at("/spec/dataSchema/granularitySpec/segmentGranularity").asText())));
    }
    return tables;
  }

  private static boolean isByMonth(String file, String granularity) {
    return switch (granularity) {
      case "HOUR", "DAY" -> false;
      case "MONTH" -> true;
      default ->
          throw ProvisionFailure.input(
              "infra/%s has segments of a %s; a rebuild knows HOUR, DAY and MONTH."
                  .formatted(file, granularity));
    };
  }

  /** Whether it may have rows of a day, as far as load rules keep them. */
  boolean mayHave(LocalDate day) {
    return span(day).end().isAfter(since);
  }

  /** Whether it may have rows of a day, and keeps them. */
  boolean keeps(LocalDate day) {
    return mayHave(day) && span(day).end().isAfter(firstDay);
  }

  Span span(LocalDate day) {
    LocalDate begin = isByMonth ? day.withDayOfMonth(1) : day;
    return new Span(begin, isByMonth ? begin.plusMonths(1) : begin.plusDays(1));
  }

  /** The supervisor, reading nothing until a rebuild has come to its end. */
  ObjectNode suspended() {
    ObjectNode waiting = spec.deepCopy();
    waiting.put("suspended", true);
    waiting.withObject("/context").put(DruidSetup.REVISION, DruidSetup.REBUILD);
    return waiting;
  }

  /** A task that puts rows of the lake in the place of what a span has. */
  ObjectNode loading(String id, Span span, List<Part> parts, LakeRows lake) {
    ObjectNode task = EngineClient.JSON.createObjectNode();
    task.put("type", "index_parallel").put("id", id);
    ObjectNode ingestion = task.putObject("spec");
    ingestion.set("dataSchema", spec.at("/spec/dataSchema").deepCopy());
    ObjectNode granularity = ingestion.withObject("/dataSchema/granularitySpec");
    granularity.putArray("intervals").add(span.interval());
    // Nobody waits for these rows: what belongs together is added up at once.
    granularity.put("rollup", true);
    ObjectNode io = ingestion.putObject("ioConfig");
    io.put("type", "index_parallel").put("appendToExisting", false);
    ObjectNode source = io.putObject("inputSource");
    source.put("type", "http").put("httpAuthenticationUsername", lake.user());
    source
        .putObject("httpAuthenticationPassword")
        .put("type", "default")
        .put("password", lake.password());
    ArrayNode uris = source.putArray("uris");
    parts.forEach(part -> uris.add(lake.uri(lakeTable, part)));
    io.putObject("inputFormat").put("type", "json");
    ingestion
        .putObject("tuningConfig")
        .put("type", "index_parallel")
        .put("maxNumConcurrentSubTasks", 1)
        .put("maxRowsInMemory", 100_000)
        .put("maxParseExceptions", 0)
        .putObject("partitionsSpec")
        .put("type", "dynamic")
        .put("maxRowsPerSegment", 1_000_000);
    return task;
  }
}
