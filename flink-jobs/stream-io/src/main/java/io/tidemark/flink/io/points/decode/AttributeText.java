package io.tidemark.flink.io.points.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Attributes as label text: strings as they are, numbers in decimal, bytes in Base64, lists and
 * maps as JSON, an empty value as empty text. Of a key sent twice the last value counts.
 */
public final class AttributeText {

  private static final JsonFactory JSON = new JsonFactory();

  private AttributeText() {}

  public static Map<String, String> of(List<KeyValue> attributes) {
    Map<String, String> labels = new HashMap<>();
    for (KeyValue attribute : attributes) {
      labels.put(attribute.getKey(), text(attribute.getValue()));
    }
    return labels;
  }

  private static String text(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      case INT_VALUE -> Long.toString(value.getIntValue());
      case DOUBLE_VALUE -> Double.toString(value.getDoubleValue());
      case BYTES_VALUE -> base64(value.getBytesValue());
      case ARRAY_VALUE, KVLIST_VALUE -> json(value);
      default -> "";
    };
  }

  private static String json(AnyValue value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      write(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return text.toString();
  }

  private static void write(AnyValue value, JsonGenerator out) throws IOException {
    switch (value.getValueCase()) {
      case STRING_VALUE -> out.writeString(value.getStringValue());
      case BOOL_VALUE -> out.writeBoolean(value.getBoolValue());
      case INT_VALUE -> out.writeNumber(value.getIntValue());
      case DOUBLE_VALUE -> out.writeNumber(value.getDoubleValue());
      case BYTES_VALUE -> out.writeString(base64(value.getBytesValue()));
      case ARRAY_VALUE -> {
        out.writeStartArray();
        for (AnyValue element : value.getArrayValue().getValuesList()) {
          write(element, out);
        }
        out.writeEndArray();
      }
      case KVLIST_VALUE -> {
        out.writeStartObject();
        for (KeyValue entry : value.getKvlistValue().getValuesList()) {
          out.writeFieldName(entry.getKey());
          write(entry.getValue(), out);
        }
        out.writeEndObject();
      }
      default -> out.writeNull();
    }
  }

  private static String base64(ByteString bytes) {
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
