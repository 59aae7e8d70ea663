package io.tidemark.platform.query.druid;

import io.tidemark.platform.query.domain.Distribution;
import io.tidemark.platform.query.domain.Figure;
import io.tidemark.platform.query.domain.Figures;
import io.tidemark.platform.query.domain.StoreQuery;
import io.tidemark.platform.query.domain.StoreQuery.Shape;
import io.tidemark.platform.query.domain.StoreRow;
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
   * The rows that were stored, whole groups only.
   *
   * @throws ProblemException {@code result_too_large}
   */
  List<StoreRow> read(InputStream body, StoreQuery query) {
    List<StoreRow> rows = new ArrayList<>();
    int groups = 0;
    List<String> group = null;
    try (MappingIterator<JsonNode> items = json.readerFor(JsonNode.class).readValues(body)) {
      while (items.hasNext()) {
        JsonNode item = items.next();
        JsonNode values = item.has("event") ? item.path("event") : item.path("result");
        List<String> labels = labels(values, query.groupBy().size());
        if (!labels.equals(group)) {
          group = labels;
          groups++;
        }
        if (groups > query.greatestGroups()) {
          break;
        }
        if (values.path(DruidQueryTree.ROWS).asLong(0) > 0) {
          if (rows.size() == greatestResult) {
            throw tooLarge();
          }
          rows.add(
              new StoreRow(
                  Instant.parse(item.path("timestamp").asString()),
                  labels,
                  query.shape() instanceof Shape.BySeries
                      ? values.path(DruidQueryTree.SERIES).asString()
                      : "",
                  figures(values, query)));
        }
      }
    }
    return rows;
  }

  private static Figures figures(JsonNode values, StoreQuery query) {
    Figures figures = new Figures();
    for (Figure figure : query.figures()) {
      JsonNode value = values.path(DruidQueryTree.name(figure));
      switch (figure) {
        case SUM -> figures.sum = number(value);
        case COUNT -> figures.count = value.asLong(0);
        case MIN -> figures.min = number(value);
        case MAX -> figures.max = number(value);
        case LAST -> {
          // The pair of time and value that Druid itself adds up.
          figures.last = number(value.path("rhs"));
          figures.lastAt = value.path("lhs").asLong(Long.MIN_VALUE);
        }
        case DISTRIBUTION -> {
          JsonNode text = values.path(DruidQueryTree.DISTRIBUTION);
          if (text.isString()) {
            figures.distribution = new Distribution();
            figures.distribution.add(text.asString(), values.path(DruidQueryTree.PANES).asLong(1));
          }
        }
      }
    }
    return figures;
  }

  private static double number(JsonNode value) {
    return value.isNumber() ? value.doubleValue() : Double.NaN;
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
        "The answer is made of more than "
            + greatestResult
            + " rows. Narrow the intervals, use a coarser granularity, fewer group_by labels or a"
            + " smaller limit.");
  }
}
