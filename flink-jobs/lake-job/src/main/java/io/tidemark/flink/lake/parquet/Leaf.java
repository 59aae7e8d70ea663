package io.tidemark.flink.lake.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * One column of the file; a map has two, a list has one.
 *
 * @param path names from the root
 * @param fieldId Iceberg's id
 * @param type Iceberg's type of the value
 * @param isNested whether it repeats within a row
 */
record Leaf(List<String> path, int fieldId, Type type, boolean isNested) {

  static List<Leaf> of(Schema schema) {
    List<Leaf> leaves = new ArrayList<>();
    for (Types.NestedField column : schema.columns()) {
      String name = column.name();
      if (column.type().isMapType()) {
        Types.MapType map = column.type().asMapType();
        leaves.add(new Leaf(List.of(name, "key_value", "key"), map.keyId(), map.keyType(), true));
        leaves.add(
            new Leaf(List.of(name, "key_value", "value"), map.valueId(), map.valueType(), true));
      } else if (column.type().isListType()) {
        Types.ListType list = column.type().asListType();
        leaves.add(
            new Leaf(List.of(name, "list", "element"), list.elementId(), list.elementType(), true));
      } else {
        leaves.add(new Leaf(List.of(name), column.fieldId(), column.type(), false));
      }
    }
    return leaves;
  }

  Bounds.Kind boundsKind() {
    return switch (type.typeId()) {
      case STRING -> Bounds.Kind.TEXT;
      case DOUBLE -> Bounds.Kind.DOUBLE;
      default -> Bounds.Kind.WHOLE;
    };
  }
}
