package io.tidemark.flink.alert.signal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The groups of a signal by number, and when rows came for each. */
final class GroupDirectory {

  static final int NONE = -1;

  /** No decided minute has new rows. */
  static final long CLEAN = Long.MAX_VALUE;

  private static final int FORM = 1;
  private static final int FIRST_SIZE = 8;
  private static final int GROUP_BYTES = 100;
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Nobody can choose labels that all meet in one place. */
  private static final long SECRET = new SecureRandom().nextLong() | 1;

  private byte[] @Nullable [] labels = new byte[FIRST_SIZE][];
  private @Nullable String[] texts = new String[FIRST_SIZE];
  private long[] lastData = new long[FIRST_SIZE];
  private long[] dirty = new long[FIRST_SIZE];

  /** Rules that have the group. */
  private int[] users = new int[FIRST_SIZE];

  /** Numbers by place, one more than they are; 0 for none. */
  private int[] table = new int[2 * FIRST_SIZE];

  /** No number before it is free. */
  private int firstFree;

  private int size;
  private int live;
  private int used;
  private int dirtyGroups;
  private long labelBytes;
  private final BitSet changedPages = new BitSet();

  /** One more than the greatest number. */
  int size() {
    return size;
  }

  int pages() {
    return size == 0 ? 0 : PageKey.pageOf(size - 1) + 1;
  }

  boolean isLive(int group) {
    return group < size && labels[group] != null;
  }

  /** Groups with a number. */
  int live() {
    return live;
  }

  /** Groups that a rule has. */
  int used() {
    return used;
  }

  /** The number of a group; a new one when it is not known. */
  int number(byte[] bytes, int from, int length) {
    int slot = slot(bytes, from, length);
    if (table[slot] != 0) {
      return table[slot] - 1;
    }
    int number = free();
    put(number, Arrays.copyOfRange(bytes, from, from + length));
    changedPages.set(PageKey.pageOf(number));
    return number;
  }

  /** The number of a group, or {@link #NONE}. */
  int find(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return table[slot(bytes, 0, bytes.length)] - 1;
  }

  private int free() {
    while (firstFree < size && labels[firstFree] != null) {
      firstFree++;
    }
    return firstFree;
  }

  private void put(int number, byte[] text) {
    room(number + 1);
    labels[number] = text;
    texts[number] = null;
    lastData[number] = Long.MIN_VALUE;
    dirty[number] = CLEAN;
    users[number] = 0;
    size = Math.max(size, number + 1);
    live++;
    labelBytes += text.length;
    if (2 * live > table.length) {
      table = new int[4 * table.length];
      index();
    } else {
      table[slot(text, 0, text.length)] = number + 1;
    }
  }

  private void room(int numbers) {
    if (numbers > labels.length) {
      int room = Math.max(numbers, 2 * labels.length);
      labels = Arrays.copyOf(labels, room);
      texts = Arrays.copyOf(texts, room);
      lastData = Arrays.copyOf(lastData, room);
      dirty = Arrays.copyOf(dirty, room);
      users = Arrays.copyOf(users, room);
    }
  }

  private void index() {
    Arrays.fill(table, 0);
    for (int i = 0; i < size; i++) {
      byte[] text = labels[i];
      if (text != null) {
        table[slot(text, 0, text.length)] = i + 1;
      }
    }
  }

  private int slot(byte[] bytes, int from, int length) {
    int slot = hash(bytes, from, length) & table.length - 1;
    while (table[slot] != 0) {
      byte[] text = Objects.requireNonNull(labels[table[slot] - 1]);
      if (Arrays.equals(text, 0, text.length, bytes, from, from + length)) {
        return slot;
      }
      slot = slot + 1 & table.length - 1;
    }
    return slot;
  }

  private static int hash(byte[] bytes, int from, int length) {
    long hash = SECRET ^ length;
    int end = from + length;
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = mixed(hash ^ (long) EIGHT.get(bytes, at));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << Byte.SIZE | bytes[at] & 0xFF;
    }
    hash = mixed(hash ^ rest);
    return (int) (hash ^ hash >>> Integer.SIZE);
  }

  private static long mixed(long value) {
    return value * SECRET ^ Math.multiplyHigh(value, SECRET);
  }

  String text(int group) {
    String known = texts[group];
    if (known == null) {
      known = new String(labels[group], UTF_8);
      texts[group] = known;
    }
    return known;
  }

  /** Start of the latest minute with rows. */
  long lastData(int group) {
    return lastData[group];
  }

  /** Start of the first decided minute that rows came for since; {@link #CLEAN} for none. */
  long dirty(int group) {
    return dirty[group];
  }

  boolean hasDirty() {
    return dirtyGroups > 0;
  }

  /** Rows came. */
  void heard(int group, long minute, long decidedUntil) {
    lastData[group] = Math.max(lastData[group], minute);
    if (minute < decidedUntil && minute < dirty[group]) {
      dirtyGroups += dirty[group] == CLEAN ? 1 : 0;
      dirty[group] = minute;
    }
  }

  /** Minutes that rows came for are decided anew. */
  void clean() {
    if (dirtyGroups > 0) {
      Arrays.fill(dirty, 0, size, CLEAN);
      dirtyGroups = 0;
    }
  }

  void use(int group) {
    used += users[group]++ == 0 ? 1 : 0;
  }

  void leave(int group) {
    used -= --users[group] == 0 ? 1 : 0;
  }

  /** Forgets groups that no rule has and whose rows nobody needs, so that others get the number. */
  void forget(long needed) {
    if (used == live) {
      return;
    }
    boolean isAny = false;
    for (int i = 0; i < size; i++) {
      byte[] text = labels[i];
      if (text != null && users[i] == 0 && lastData[i] < needed) {
        dirtyGroups -= dirty[i] == CLEAN ? 0 : 1;
        dirty[i] = CLEAN;
        labels[i] = null;
        firstFree = Math.min(firstFree, i);
        live--;
        labelBytes -= text.length;
        changedPages.set(PageKey.pageOf(i));
        isAny = true;
      }
    }
    if (isAny) {
      index();
    }
  }

  /** An estimate. */
  long bytes() {
    return labelBytes + (long) GROUP_BYTES * labels.length;
  }

  /** Writes pages of labels that are not as they are stored. */
  void write(SignalStore store, PackedOutput out) {
    for (int page = changedPages.nextSetBit(0);
        page >= 0;
        page = changedPages.nextSetBit(page + 1)) {
      out.clear();
      out.writeByte(FORM);
      int before = page * PageKey.GROUPS;
      for (int i = before; i < Math.min(size, (page + 1) * PageKey.GROUPS); i++) {
        byte[] text = labels[i];
        if (text != null) {
          out.writeUnsigned(i - before);
          out.writeBytes(text);
          before = i;
        }
      }
      store.putPage(PageKey.labels(page), out.toBytes());
    }
    changedPages.clear();
  }

  private void read(SignalStore store, int storedSize) {
    for (int page = 0; page * PageKey.GROUPS < storedSize; page++) {
      byte[] stored = store.page(PageKey.labels(page));
      if (stored == null) {
        throw new IllegalStateException("Labels of page " + page + " are not in the state");
      }
      PackedInput in = new PackedInput(stored);
      in.expectForm(FORM, "Groups of alerts");
      int number = page * PageKey.GROUPS;
      while (in.hasMore()) {
        number += in.readCount();
        put(number, in.readBytes());
      }
    }
    room(storedSize);
    size = storedSize;
  }

  /** Most groups have rows in the latest minute, and none that came late. */
  void packHeader(PackedOutput out) {
    long newest = Long.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      newest = labels[i] == null ? newest : Math.max(newest, lastData[i]);
    }
    out.writeUnsigned(size);
    out.writeSigned(newest);
    packOthers(out, lastData, newest);
    packOthers(out, dirty, CLEAN);
  }

  private void packOthers(PackedOutput out, long[] values, long usual) {
    int others = 0;
    for (int i = 0; i < size; i++) {
      others += labels[i] != null && values[i] != usual ? 1 : 0;
    }
    out.writeUnsigned(others);
    int before = 0;
    for (int i = 0; others > 0 && i < size; i++) {
      if (labels[i] != null && values[i] != usual) {
        out.writeUnsigned(i - before);
        out.writeSigned(usual - values[i]);
        before = i;
        others--;
      }
    }
  }

  void unpackHeader(PackedInput in, SignalStore store) {
    read(store, in.readCount());
    long newest = in.readSigned();
    unpackOthers(in, lastData, newest);
    unpackOthers(in, dirty, CLEAN);
    for (int i = 0; i < size; i++) {
      dirtyGroups += labels[i] != null && dirty[i] != CLEAN ? 1 : 0;
    }
  }

  private void unpackOthers(PackedInput in, long[] values, long usual) {
    Arrays.fill(values, 0, size, usual);
    int others = in.readCount();
    int number = 0;
    for (int i = 0; i < others; i++) {
      number += in.readCount();
      values[number] = usual - in.readSigned();
    }
  }
}
