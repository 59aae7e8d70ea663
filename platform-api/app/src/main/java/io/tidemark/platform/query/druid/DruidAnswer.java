package io.tidemark.platform.query.druid;

import io.tidemark.platform.query.domain.Granularity;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.QueryRow;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/** Reads the answer to a native query row by row. */
final class DruidAnswer {

  private final JsonMapper json;
  private final int greatestResult;

  DruidAnswer(JsonMapper json, int greatestResult) {
    this.json = json;
    this.greatestResult = greatestResult;
  }

  /**
   * The rows with a value, whole groups only.
   *
   * @throws ProblemException {@code result_too_large}
   */
  List<QueryRow> read(InputStream body, MetricQuery query) {
    List<QueryRow> rows = new ArrayList<>();
    int groups = 0;
    List<String> group = null;
    try (MappingIterator<JsonNode> items = json.readerFor(JsonNode.class).readValues(body)) {
      while (items.hasNext()) {
        JsonNode item = items.next();
        JsonNode values = item.path(query.groupBy().isEmpty() ? "result" : "event");
        List<String> labels = labels(values, query.groupBy().size());
        if (!labels.equals(group)) {
          group = labels;
          groups++;
        }
        if (groups > query.greatestGroups()) {
          break;
        }
        JsonNode value = values.path(DruidQueryTree.VALUE);
        if (values.path(DruidQueryTree.ROWS).asLong(0) > 0
            && value.isNumber()
            && Double.isFinite(value.doubleValue())) {
          if (rows.size() == greatestResult) {
            throw tooLarge();
          }
          rows.add(new QueryRow(bucket(item, query), labels, value.doubleValue()));
        }
      }
    }
    return rows;
  }

  private static Instant bucket(JsonNode item, MetricQuery query) {
    return query.granularity() == Granularity.ALL
        ? query.earliest()
        : Instant.parse(item.path("timestamp").asString());
  }

  private static List<String> labels(JsonNode values, int number) {
    List<String> labels = new ArrayList<>(number);
    for (int i = 0; i < number; i++) {
      JsonNode label = values.path(DruidQueryTree.groupName(i));
      labels.add(label.isNull() || label.isMissingNode() ? null : label.asString());
    }
    return labels;
  }

  private ProblemException tooLarge() {
    return ProblemException.of(
        ErrorCode.RESULT_TOO_LARGE,
        "The answer has more than "
            + greatestResult
            + " rows. Narrow the intervals, use a coarser granularity, fewer group_by labels or a"
            + " smaller limit.");
  }
}
