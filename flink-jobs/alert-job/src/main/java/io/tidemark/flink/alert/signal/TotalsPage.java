package io.tidemark.flink.alert.signal;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.alert.packed.TotalsForm;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Totals of one minute of the groups of a page. */
final class TotalsPage {

  private static final int FORM = 1;
  private static final int FIRST_SIZE = 8;
  private static final int TOTALS_BYTES = 80;
  private static final int BUCKET_BYTES = 12;

  private @Nullable MinuteTotals[] totals = {};
  private int present;
  private long bucketBytes;
  private boolean isChanged;

  @Nullable MinuteTotals get(int place) {
    return place < totals.length ? totals[place] : null;
  }

  void add(int place, MinuteTotals added) {
    if (place >= totals.length) {
      totals =
          Arrays.copyOf(
              totals,
              Math.min(PageKey.GROUPS, Math.max(place + 1, Math.max(FIRST_SIZE, 2 * place))));
    }
    MinuteTotals before = totals[place];
    MinuteTotals now = MinuteTotals.add(before, added);
    totals[place] = now;
    present += before == null ? 1 : 0;
    bucketBytes +=
        (long) BUCKET_BYTES
            * (now.buckets().length - (before == null ? 0 : before.buckets().length));
    isChanged = true;
  }

  boolean isChanged() {
    return isChanged;
  }

  /** An estimate. */
  long bytes() {
    return (long) TOTALS_BYTES * present + Integer.BYTES * (long) totals.length + bucketBytes;
  }

  /** The page as it is to be written; it is not changed afterwards. */
  byte[] pack(long start, PackedOutput out) {
    out.clear();
    out.writeByte(FORM);
    out.writeUnsigned(start);
    out.writeUnsigned(present);
    int before = 0;
    for (int i = 0; i < totals.length; i++) {
      MinuteTotals one = totals[i];
      if (one != null) {
        out.writeUnsigned(i - before);
        TotalsForm.write(out, one, start);
        before = i;
      }
    }
    isChanged = false;
    return out.toBytes();
  }

  /** What is stored, when it is of that minute; null when it is of another. */
  static @Nullable TotalsPage unpack(byte @Nullable [] stored, long start) {
    if (stored == null) {
      return null;
    }
    PackedInput in = new PackedInput(stored);
    in.expectForm(FORM, "Totals of alerts");
    if (in.readUnsigned() != start) {
      return null;
    }
    TotalsPage page = new TotalsPage();
    int size = in.readCount();
    int place = 0;
    for (int i = 0; i < size; i++) {
      place += in.readCount();
      page.add(place, TotalsForm.read(in, start));
    }
    page.isChanged = false;
    return page;
  }
}
