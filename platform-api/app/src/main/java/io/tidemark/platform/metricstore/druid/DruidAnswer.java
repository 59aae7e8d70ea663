package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the answer to a native query row by row, without a tree of it: an answer of many rows is
 * most of what a query costs here. A row is an object with named values, or, of a groupBy that asks
 * for it, an array of the same values in the order of {@link DruidQueryTree#columns}.
 */
final class DruidAnswer {

  private final JsonMapper json;
  private final int maxResult;

  DruidAnswer(JsonMapper json, int maxResult) {
    this.json = json;
    this.maxResult = maxResult;
  }

  /**
   * The rows that were stored, whole groups only.
   *
   * @throws ProblemException {@code result_too_large}
   */
  List<StoreRow> read(InputStream body, StoreQuery query) {
    ResponseReader reading = new ResponseReader(query);
    try (JsonParser parser = json.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new StreamReadException(parser, "An answer is a list");
      }
      while (parser.nextToken() != JsonToken.END_ARRAY && reading.isOpen()) {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
          reading.array(parser);
        } else {
          reading.object(parser);
        }
      }
      // The end of the body comes after that of the list; a connection is used again only behind
      // it.
      if (parser.currentToken() == JsonToken.END_ARRAY && parser.nextToken() != null) {
        throw new StreamReadException(parser, "An answer is one list");
      }
    }
    return reading.rows;
  }

  private final class ResponseReader {
    private final StoreQuery query;
    private final List<String> columns;
    private final boolean bySeries;
    private final List<StoreRow> rows = new ArrayList<>();
    private final Map<String, Instant> times = new HashMap<>();
    private final Map<Long, Instant> milliseconds = new HashMap<>();
    private final @Nullable String[] labels;
    private @Nullable List<@Nullable String> group;
    private int groups;

    // Of the row that is being read.
    private Instant time = Instant.EPOCH;
    private AggregateState figures = new AggregateState();
    private @Nullable String series;
    private @Nullable String distribution;
    private long panes;
    private long stored;

    ResponseReader(StoreQuery query) {
      this.query = query;
      this.columns = DruidQueryTree.columns(query);
      this.bySeries = query.shape() instanceof Shape.BySeries;
      this.labels = new String[query.groupBy().size()];
    }

    boolean isOpen() {
      return groups <= query.maxGroups();
    }

    private void begin() {
      Arrays.fill(labels, null);
      time = Instant.EPOCH;
      figures = new AggregateState();
      series = "";
      distribution = null;
      panes = 1;
      stored = 0;
    }

    void array(JsonParser parser) {
      begin();
      for (String column : columns) {
        if (parser.nextToken() == JsonToken.END_ARRAY) {
          return;
        }
        value(parser, column);
      }
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        parser.skipChildren();
      }
      end();
    }

    void object(JsonParser parser) {
      begin();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        switch (name) {
          case "event", "result" -> {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
              String column = parser.currentName();
              parser.nextToken();
              value(parser, column);
            }
          }
          case DruidQueryTree.TIME -> value(parser, name);
          default -> parser.skipChildren();
        }
      }
      end();
    }

    private void value(JsonParser parser, String column) {
      JsonToken token = parser.currentToken();
      switch (column) {
        case DruidQueryTree.TIME ->
            time =
                token == JsonToken.VALUE_STRING
                    ? times.computeIfAbsent(parser.getString(), Instant::parse)
                    : milliseconds.computeIfAbsent(parser.getLongValue(), Instant::ofEpochMilli);
        case DruidQueryTree.ROWS -> stored = whole(parser, 0);
        case DruidQueryTree.PANES -> panes = whole(parser, 1);
        case DruidQueryTree.SERIES -> series = text(parser);
        case DruidQueryTree.DISTRIBUTION -> distribution = text(parser);
        case "f_sum" -> figures.sum = number(parser);
        case "f_count" -> figures.count = whole(parser, 0);
        case "f_min" -> figures.min = number(parser);
        case "f_max" -> figures.max = number(parser);
        case "f_last" -> last(parser);
        default -> {
          int place = DruidQueryTree.groupPlace(column);
          if (place >= 0 && place < labels.length) {
            labels[place] = text(parser);
          } else {
            parser.skipChildren();
          }
        }
      }
    }

    /** The pair of time and value that Druid itself adds up. */
    private void last(JsonParser parser) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        return;
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        switch (name) {
          case "rhs" -> figures.last = number(parser);
          case "lhs" -> figures.lastAt = whole(parser, Long.MIN_VALUE);
          default -> parser.skipChildren();
        }
      }
    }

    private void end() {
      if (group == null || !isGroup(group)) {
        // Rows of a group share its labels.
        group =
            Collections.<@Nullable String>unmodifiableList(
                Arrays.<@Nullable String>asList(labels.clone()));
        groups++;
      }
      if (!isOpen() || stored <= 0) {
        return;
      }
      if (rows.size() == maxResult) {
        throw tooLarge();
      }
      if (distribution != null && query.figures().contains(AggregateColumn.DISTRIBUTION)) {
        figures.distribution = new Distribution();
        figures.distribution.add(distribution, panes);
      }
      rows.add(new StoreRow(time, group, bySeries ? series : "", figures));
    }

    private boolean isGroup(List<@Nullable String> known) {
      for (int i = 0; i < labels.length; i++) {
        if (!Objects.equals(labels[i], known.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  private static @Nullable String text(JsonParser parser) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    parser.skipChildren();
    return null;
  }

  private static double number(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
      return parser.getDoubleValue();
    }
    parser.skipChildren();
    return Double.NaN;
  }

  private static long whole(JsonParser parser, long otherwise) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
      return parser.getValueAsLong();
    }
    parser.skipChildren();
    return otherwise;
  }

  private ProblemException tooLarge() {
    return ProblemException.of(
        ErrorCode.RESULT_TOO_LARGE,
        "The answer is made of more than "
            + maxResult
            + " rows. Narrow the intervals, use a coarser granularity, fewer group_by labels or a"
            + " smaller limit.");
  }
}
