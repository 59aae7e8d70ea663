package io.tidemark.flink.lake.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;

/** A table's schema as Parquet describes it, with the field ids that Iceberg goes by. */
final class FileSchema {

  private final List<SchemaElement> elements = new ArrayList<>();

  private FileSchema() {}

  static List<SchemaElement> of(Schema schema) {
    FileSchema file = new FileSchema();
    file.elements.add(new SchemaElement("table").setNum_children(schema.columns().size()));
    for (Types.NestedField column : schema.columns()) {
      file.column(column);
    }
    return file.elements;
  }

  private void column(Types.NestedField column) {
    FieldRepetitionType repetition =
        column.isRequired() ? FieldRepetitionType.REQUIRED : FieldRepetitionType.OPTIONAL;
    SchemaElement element =
        new SchemaElement(column.name())
            .setRepetition_type(repetition)
            .setField_id(column.fieldId());
    elements.add(element);
    if (column.type().isMapType()) {
      Types.MapType map = column.type().asMapType();
      element
          .setNum_children(1)
          .setConverted_type(ConvertedType.MAP)
          .setLogicalType(LogicalType.MAP(new MapType()));
      elements.add(repeated("key_value", 2));
      elements.add(leaf("key", map.keyId(), map.keyType()));
      elements.add(leaf("value", map.valueId(), map.valueType()));
    } else if (column.type().isListType()) {
      Types.ListType list = column.type().asListType();
      element
          .setNum_children(1)
          .setConverted_type(ConvertedType.LIST)
          .setLogicalType(LogicalType.LIST(new ListType()));
      elements.add(repeated("list", 1));
      elements.add(leaf("element", list.elementId(), list.elementType()));
    } else {
      typed(element, column.type());
    }
  }

  private static SchemaElement repeated(String name, int children) {
    return new SchemaElement(name)
        .setRepetition_type(FieldRepetitionType.REPEATED)
        .setNum_children(children);
  }

  private static SchemaElement leaf(String name, int id, Type type) {
    return typed(
        new SchemaElement(name).setRepetition_type(FieldRepetitionType.REQUIRED).setField_id(id),
        type);
  }

  private static SchemaElement typed(SchemaElement element, Type type) {
    element.setType(physical(type));
    if (type.typeId() == Type.TypeID.STRING) {
      element
          .setConverted_type(ConvertedType.UTF8)
          .setLogicalType(LogicalType.STRING(new StringType()));
    } else if (type.typeId() == Type.TypeID.TIMESTAMP) {
      element
          .setConverted_type(ConvertedType.TIMESTAMP_MICROS)
          .setLogicalType(
              LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MICROS(new MicroSeconds()))));
    }
    return element;
  }

  static org.apache.parquet.format.Type physical(Type type) {
    return switch (type.typeId()) {
      case STRING -> org.apache.parquet.format.Type.BYTE_ARRAY;
      case INTEGER -> org.apache.parquet.format.Type.INT32;
      case LONG, TIMESTAMP -> org.apache.parquet.format.Type.INT64;
      case DOUBLE -> org.apache.parquet.format.Type.DOUBLE;
      case BOOLEAN -> org.apache.parquet.format.Type.BOOLEAN;
      default -> throw new IllegalArgumentException("No Parquet form of " + type);
    };
  }
}
