package io.tidemark.flink.alert.match;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.alert.packed.TotalsForm;
import io.tidemark.flink.model.alert.MinuteTotals;

/** Groups of a minute in one array: labels in UTF-8 after their length, and totals. */
public final class PackedGroups {

  /** Gets groups one by one; labels are a part of an array. */
  @FunctionalInterface
  public interface Reader {
    void read(byte[] bytes, int from, int length, MinuteTotals totals);
  }

  private PackedGroups() {}

  static void append(PackedOutput out, byte[] labels, MinuteTotals totals, long start) {
    out.writeBytes(labels);
    TotalsForm.write(out, totals, start);
  }

  /** One group. */
  public static byte[] of(String labels, MinuteTotals totals, long start) {
    PackedOutput out = new PackedOutput();
    append(out, labels.getBytes(UTF_8), totals, start);
    return out.toBytes();
  }

  public static void read(SignalMinute minute, Reader reader) {
    PackedInput in = new PackedInput(minute.groups());
    while (in.hasMore()) {
      int length = in.readCount();
      int from = in.at();
      in.skip(length);
      reader.read(in.bytes(), from, length, TotalsForm.read(in, minute.start()));
    }
  }
}
