package io.tidemark.flink.alert.signal;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Totals of a signal's groups, minute by minute or hour by hour: the latest ones in memory, all
 * that can be needed in the state.
 *
 * <p>A minute has a slot that an earlier minute had, which nobody needs any more. Minutes too far
 * ahead of it, or behind, lie under their own names until they are over.
 */
final class TotalsHistory {

  /** One minute or hour in memory. */
  private static final class Moment {
    private final long start;

    /** Nothing of it is stored that is not here. */
    private final boolean isWhole;

    private @Nullable TotalsPage[] pages = {};

    private Moment(long start, boolean isWhole) {
      this.start = start;
      this.isWhole = isWhole;
    }
  }

  private final SignalStore store;
  private final int side;
  private final long stepMs;
  private final int slots;
  private final List<Moment> held = new ArrayList<>();
  private final TreeSet<Long> far = new TreeSet<>();
  private long newest = Long.MIN_VALUE;

  /** Minutes from here on have slots, as many as there are. */
  private long slotsFrom = Long.MIN_VALUE;

  TotalsHistory(SignalStore store, int side, long stepMs, int slots) {
    this.store = store;
    this.side = side;
    this.stepMs = stepMs;
    this.slots = slots;
  }

  @Nullable MinuteTotals get(long start, int group) {
    if (start > newest) {
      return null;
    }
    return page(start, PageKey.pageOf(group)).get(group % PageKey.GROUPS);
  }

  void add(long start, int group, MinuteTotals added) {
    page(start, PageKey.pageOf(group)).add(group % PageKey.GROUPS, added);
    newest = Math.max(newest, start);
  }

  private TotalsPage page(long start, int number) {
    Moment moment = moment(start);
    if (number >= moment.pages.length) {
      moment.pages = Arrays.copyOf(moment.pages, number + 1);
    }
    TotalsPage known = moment.pages[number];
    if (known == null) {
      known = moment.isWhole ? null : read(start, number);
      if (known == null) {
        known = new TotalsPage();
      }
      moment.pages[number] = known;
    }
    return known;
  }

  /** Those that are asked for are mostly the latest. */
  private Moment moment(long start) {
    int at = held.size();
    while (at > 0 && held.get(at - 1).start >= start) {
      at--;
      if (held.get(at).start == start) {
        return held.get(at);
      }
    }
    Moment moment = new Moment(start, start > newest);
    held.add(at, moment);
    return moment;
  }

  private @Nullable TotalsPage read(long start, int number) {
    TotalsPage page = TotalsPage.unpack(store.page(slotKey(start, number)), start);
    return page == null && far.contains(start)
        ? TotalsPage.unpack(store.page(farKey(start, number)), start)
        : page;
  }

  private long slotKey(long start, int number) {
    return PageKey.totals(side, Math.floorMod(Math.floorDiv(start, stepMs), slots), number);
  }

  private long farKey(long start, int number) {
    return PageKey.farTotals(side, Math.floorDiv(start, stepMs), number);
  }

  /** The earliest minute from one on that has totals of a group; the greatest number for none. */
  long firstFrom(long from, int group, long oldest) {
    for (long start = Math.max(from, oldest); start <= newest; start += stepMs) {
      if (get(start, group) != null) {
        return start;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Drops what nobody needs any more, also from the state; as far as it is not overwritten. */
  void needFrom(long oldest, int pages) {
    slotsFrom = Math.max(slotsFrom, oldest);
    held.removeIf(moment -> moment.start < oldest);
    while (!far.isEmpty() && far.first() < oldest) {
      long gone = far.pollFirst();
      for (int number = 0; number < pages; number++) {
        store.removePage(farKey(gone, number));
      }
    }
  }

  /** Writes what the state does not have. */
  void write(PackedOutput out) {
    for (Moment moment : held) {
      for (int number = 0; number < moment.pages.length; number++) {
        TotalsPage page = moment.pages[number];
        if (page != null && page.isChanged()) {
          store.putPage(place(moment.start, number), page.pack(moment.start, out));
        }
      }
    }
  }

  private long place(long start, int number) {
    boolean hasSlot = start >= slotsFrom && start < slotsFrom + slots * stepMs;
    if (!hasSlot) {
      far.add(start);
    }
    return hasSlot ? slotKey(start, number) : farKey(start, number);
  }

  /** Drops minutes before one that were written from memory. */
  void dropBefore(long wanted) {
    held.removeIf(moment -> moment.start < wanted && !isChanged(moment));
  }

  /** Drops all but one that were written from memory. */
  void dropOthers(long than) {
    held.removeIf(moment -> moment.start != than && !isChanged(moment));
  }

  private static boolean isChanged(Moment moment) {
    for (TotalsPage page : moment.pages) {
      if (page != null && page.isChanged()) {
        return true;
      }
    }
    return false;
  }

  /** An estimate. */
  long bytes() {
    long bytes = 0;
    for (Moment moment : held) {
      for (TotalsPage page : moment.pages) {
        bytes += page == null ? 0 : page.bytes();
      }
    }
    return bytes;
  }

  /** Minutes in memory. */
  int moments() {
    return held.size();
  }

  void packHeader(PackedOutput out) {
    out.writeSigned(newest == Long.MIN_VALUE ? -1 : newest);
    out.writeSigned(slotsFrom == Long.MIN_VALUE ? -1 : slotsFrom);
    out.writeUnsigned(far.size());
    far.forEach(out::writeSigned);
  }

  void unpackHeader(PackedInput in) {
    newest = in.readSigned();
    newest = newest == -1 ? Long.MIN_VALUE : newest;
    slotsFrom = in.readSigned();
    slotsFrom = slotsFrom == -1 ? Long.MIN_VALUE : slotsFrom;
    int size = in.readCount();
    for (int i = 0; i < size; i++) {
      far.add(in.readSigned());
    }
  }
}
