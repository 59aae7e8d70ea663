package io.tidemark.flink.lake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * One table as tables.yaml wants it.
 *
 * @param name within its namespace
 * @param schema columns
 * @param partition how files are split
 * @param order how rows are sorted within files
 * @param properties table properties
 */
record TableDefinition(
    String name,
    Schema schema,
    PartitionSpec partition,
    SortOrder order,
    Map<String, String> properties) {

  /** How an existing table differs from this definition; empty when it does not. */
  List<String> driftOf(Table table) {
    List<String> drift = new ArrayList<>();
    Map<String, String> wanted = columns(schema);
    Map<String, String> found = columns(table.schema());
    wanted.forEach(
        (column, type) -> {
          if (!found.containsKey(column)) {
            drift.add("column " + column + " (" + type + ") is missing in the table");
          } else if (!found.get(column).equals(type)) {
            drift.add("column " + column + " is " + found.get(column) + ", expected " + type);
          }
        });
    found.keySet().stream()
        .filter(column -> !wanted.containsKey(column))
        .forEach(column -> drift.add("column " + column + " is not in the definition"));
    compare("partition", parts(partition), parts(table.spec()), drift);
    compare("sort order", parts(order), parts(table.sortOrder()), drift);
    properties.forEach(
        (key, value) -> {
          // The format version is part of the metadata, not of the properties Iceberg gives back.
          if (!key.equals("format-version")) {
            compare("property " + key, value, table.properties().get(key), drift);
          }
        });
    return drift;
  }

  private static void compare(
      String what, String wanted, @Nullable String found, List<String> drift) {
    if (!wanted.equals(found)) {
      drift.add(what + " is " + found + ", expected " + wanted);
    }
  }

  /** Every column, nested ones with their path, with type and whether it is required. */
  private static Map<String, String> columns(Schema schema) {
    Map<String, String> columns = new TreeMap<>();
    TypeUtil.indexNameById(schema.asStruct())
        .forEach(
            (id, name) -> {
              Types.NestedField field = schema.findField(id);
              String type =
                  field.type().isNestedType()
                      ? field.type().typeId().name()
                      : field.type().toString();
              columns.put(name, (field.isRequired() ? "required " : "optional ") + type);
            });
    return columns;
  }

  private static String parts(PartitionSpec spec) {
    return spec.fields().stream()
        .map(
            field -> field.transform() + "(" + spec.schema().findColumnName(field.sourceId()) + ")")
        .toList()
        .toString();
  }

  private static String parts(SortOrder order) {
    return order.fields().stream()
        .map(
            field ->
                order.schema().findColumnName(field.sourceId())
                    + " "
                    + field.direction()
                    + " "
                    + field.nullOrder())
        .toList()
        .toString();
  }
}
