package io.tidemark.flink.io.points.fastdecode;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Takes a message apart into its fields and puts them together otherwise: now and then exchanged,
 * repeated or left out. Lengths stay right, so the result is well-formed and means something else.
 */
final class Reassembled {

  private static final int LEVELS = 6;

  private record Field(int tag, byte[] encoded) {}

  private Reassembled() {}

  public static byte[] of(byte[] message, Random random) throws IOException {
    return level(message, random, 0, random.nextInt(LEVELS));
  }

  private static byte[] level(byte[] message, Random random, int depth, int changed)
      throws IOException {
    List<Field> fields = fields(message);
    if (depth == changed && !fields.isEmpty()) {
      int at = random.nextInt(fields.size());
      switch (random.nextInt(4)) {
        case 0 -> fields.add(random.nextInt(fields.size() + 1), fields.get(at));
        case 1 -> fields.remove(at);
        case 2 -> Collections.swap(fields, at, random.nextInt(fields.size()));
        default -> {
          // As sent.
        }
      }
    } else if (depth < changed && !fields.isEmpty()) {
      int at = random.nextInt(fields.size());
      Field field = fields.get(at);
      if (WireFormat.getTagWireType(field.tag()) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        fields.set(at, new Field(field.tag(), deeper(field, random, depth, changed)));
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Field field : fields) {
      out.write(field.encoded());
    }
    return out.toByteArray();
  }

  private static byte[] deeper(Field field, Random random, int depth, int changed)
      throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(field.encoded());
    in.readTag();
    byte[] content = in.readByteArray();
    byte[] changedContent;
    try {
      changedContent = level(content, random, depth + 1, changed);
    } catch (IOException e) {
      // Text, not a message.
      return field.encoded();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeUInt32NoTag(field.tag());
    out.writeByteArrayNoTag(changedContent);
    out.flush();
    return bytes.toByteArray();
  }

  private static List<Field> fields(byte[] message) throws IOException {
    List<Field> fields = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(message);
    while (!in.isAtEnd()) {
      int from = in.getTotalBytesRead();
      int tag = in.readTag();
      in.skipField(tag);
      fields.add(
          new Field(tag, java.util.Arrays.copyOfRange(message, from, in.getTotalBytesRead())));
    }
    return fields;
  }
}
