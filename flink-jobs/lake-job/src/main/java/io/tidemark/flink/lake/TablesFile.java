package io.tidemark.flink.lake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * infra/iceberg/tables.yaml, read and checked.
 *
 * @param namespace of all tables
 * @param tables in the order of the file
 */
record TablesFile(String namespace, List<TableDefinition> tables) {

  private static final Pattern DAY = Pattern.compile("day\\((\\w+)\\)");
  private static final Pattern BUCKET = Pattern.compile("bucket\\((\\d+),\\s*(\\w+)\\)");

  /**
   * @throws IllegalArgumentException if the file cannot be read or says something unknown
   */
  static TablesFile read(Path path) {
    String text;
    try {
      text = Files.readString(path, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException("Cannot read the table file " + path.toAbsolutePath(), e);
    }
    return parse(text);
  }

  static TablesFile parse(String yaml) {
    Map<String, Object> root =
        asMap(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml), "the file");
    Map<String, String> properties = new LinkedHashMap<>();
    asMap(root.getOrDefault("properties", Map.of()), "properties")
        .forEach((key, value) -> properties.put(key, String.valueOf(value)));
    List<TableDefinition> tables = new ArrayList<>();
    for (Object entry : asList(root.get("tables"), "tables")) {
      tables.add(table(asMap(entry, "a table"), root, properties));
    }
    return new TablesFile(text(root, "namespace"), List.copyOf(tables));
  }

  private static TableDefinition table(
      Map<String, Object> table, Map<String, Object> root, Map<String, String> properties) {
    List<Object> columns = new ArrayList<>(asList(table.get("columns"), "columns"));
    columns.addAll(asList(table.getOrDefault("more_columns", List.of()), "more_columns"));
    Schema schema = schema(columns);
    Map<String, String> all = new LinkedHashMap<>(properties);
    if (table.get("doc") != null) {
      all.put("comment", text(table, "doc"));
    }
    return new TableDefinition(
        text(table, "name"),
        schema,
        partition(schema, asList(root.get("partition"), "partition")),
        order(schema, asList(root.get("sort"), "sort")),
        Map.copyOf(all));
  }

  private static Schema schema(List<Object> columns) {
    AtomicInteger ids = new AtomicInteger();
    List<Types.NestedField> fields = new ArrayList<>();
    for (Object entry : columns) {
      Map<String, Object> column = asMap(entry, "a column");
      Object doc = column.get("doc");
      Types.NestedField.Builder field =
          Boolean.TRUE.equals(column.get("required"))
              ? Types.NestedField.required(text(column, "name"))
              : Types.NestedField.optional(text(column, "name"));
      fields.add(
          field
              .withId(ids.incrementAndGet())
              .ofType(type(text(column, "type"), ids))
              .withDoc(doc == null ? null : doc.toString())
              .build());
    }
    return new Schema(fields);
  }

  private static Type type(String name, AtomicInteger ids) {
    return switch (name) {
      case "string" -> Types.StringType.get();
      case "int" -> Types.IntegerType.get();
      case "long" -> Types.LongType.get();
      case "double" -> Types.DoubleType.get();
      case "boolean" -> Types.BooleanType.get();
      case "timestamptz" -> Types.TimestampType.withZone();
      case "list<long>" -> Types.ListType.ofRequired(ids.incrementAndGet(), Types.LongType.get());
      case "list<double>" ->
          Types.ListType.ofRequired(ids.incrementAndGet(), Types.DoubleType.get());
      case "map<string,string>" ->
          Types.MapType.ofRequired(
              ids.incrementAndGet(),
              ids.incrementAndGet(),
              Types.StringType.get(),
              Types.StringType.get());
      default -> throw new IllegalArgumentException("Unknown column type '" + name + "'");
    };
  }

  private static PartitionSpec partition(Schema schema, List<Object> transforms) {
    PartitionSpec.Builder spec = PartitionSpec.builderFor(schema);
    for (Object transform : transforms) {
      Matcher day = DAY.matcher(transform.toString());
      Matcher bucket = BUCKET.matcher(transform.toString());
      if (day.matches()) {
        spec.day(day.group(1));
      } else if (bucket.matches()) {
        spec.bucket(bucket.group(2), Integer.parseInt(bucket.group(1)));
      } else {
        throw new IllegalArgumentException("Unknown partition transform '" + transform + "'");
      }
    }
    return spec.build();
  }

  private static SortOrder order(Schema schema, List<Object> columns) {
    SortOrder.Builder order = SortOrder.builderFor(schema);
    columns.forEach(column -> order.asc(column.toString()));
    return order.build();
  }

  private static String text(Map<String, Object> map, String key) {
    Object value = map.get(key);
    if (value == null) {
      throw new IllegalArgumentException("'" + key + "' is missing in " + map);
    }
    return value.toString();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asMap(@Nullable Object value, String what) {
    if (value instanceof Map) {
      return (Map<String, Object>) value;
    }
    throw new IllegalArgumentException("Expected " + what + " to be a mapping, found " + value);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> asList(@Nullable Object value, String what) {
    if (value instanceof List) {
      return (List<Object>) value;
    }
    throw new IllegalArgumentException("Expected " + what + " to be a list, found " + value);
  }
}
