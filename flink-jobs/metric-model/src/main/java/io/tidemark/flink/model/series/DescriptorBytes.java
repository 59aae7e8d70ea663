package io.tidemark.flink.model.series;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Descriptors as bytes, between operators and in state. The first byte is the form's version. */
public final class DescriptorBytes {

  private static final int VERSION = 1;

  /** Organisation, environment, metric, unit. */
  private static final int TEXTS = 4;

  private static final MetricKind[] KINDS = MetricKind.values();

  private DescriptorBytes() {}

  public static byte[] encode(SeriesDescriptor series) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeByte(series.kind().ordinal());
      write(series.organizationId(), out);
      write(series.environmentId(), out);
      write(series.metric(), out);
      write(series.unit(), out);
      write(series.resource(), out);
      write(series.attributes(), out);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Where the attributes begin: what is before them is the same for all series of a metric and
   * resource.
   */
  public static int attributesAt(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int at = 2 * Byte.BYTES;
    for (int text = 0; text < TEXTS; text++) {
      at += Integer.BYTES + in.getInt(at);
    }
    int labels = in.getInt(at);
    at += Integer.BYTES;
    for (int text = 0; text < 2 * labels; text++) {
      at += Integer.BYTES + in.getInt(at);
    }
    return at;
  }

  /** The kind alone, without decoding the rest. */
  public static MetricKind kindOf(byte[] bytes) {
    return KINDS[bytes[1]];
  }

  /**
   * @throws IllegalStateException when a newer version wrote the bytes
   */
  public static SeriesDescriptor decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readByte();
      if (version != VERSION) {
        throw new IllegalStateException(
            "Series written in form " + version + "; this version reads form " + VERSION);
      }
      MetricKind kind = KINDS[in.readByte()];
      String organization = text(in);
      String environment = text(in);
      String metric = text(in);
      String unit = text(in);
      return new SeriesDescriptor(
          organization, environment, metric, kind, unit, labels(in), labels(in));
    } catch (IOException e) {
      throw new UncheckedIOException("A series in state is damaged", e);
    }
  }

  /** The tenant alone; cheaper than {@link #decode}. */
  public static String organizationOf(byte[] bytes) {
    int from = 2 * Byte.BYTES + Integer.BYTES;
    return new String(bytes, from, ByteBuffer.wrap(bytes).getInt(2 * Byte.BYTES), UTF_8);
  }

  /** The metric alone; cheaper than {@link #decode}. */
  public static String metricOf(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int at = 2 * Byte.BYTES;
    // After organisation and environment.
    at += Integer.BYTES + in.getInt(at);
    at += Integer.BYTES + in.getInt(at);
    return new String(bytes, at + Integer.BYTES, in.getInt(at), UTF_8);
  }

  /**
   * Whether a series has an attribute, without decoding any.
   *
   * @param attributes of a series: what follows {@link #attributesAt}
   * @param name in UTF-8
   */
  public static boolean hasAttribute(byte[] attributes, byte[] name) {
    ByteBuffer in = ByteBuffer.wrap(attributes);
    int at = Integer.BYTES;
    for (int left = in.getInt(0); left > 0; left--) {
      int from = at + Integer.BYTES;
      int to = from + in.getInt(at);
      if (Arrays.equals(attributes, from, to, name, 0, name.length)) {
        return true;
      }
      at = to + Integer.BYTES + in.getInt(to);
    }
    return false;
  }

  private static void write(String text, DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static void write(Map<String, String> labels, DataOutputStream out) throws IOException {
    out.writeInt(labels.size());
    for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
      write(label.getKey(), out);
      write(label.getValue(), out);
    }
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), UTF_8);
  }

  private static Map<String, String> labels(DataInputStream in) throws IOException {
    int size = in.readInt();
    Map<String, String> labels = new HashMap<>();
    for (int i = 0; i < size; i++) {
      String name = text(in);
      labels.put(name, text(in));
    }
    return labels;
  }
}
