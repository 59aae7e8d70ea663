package io.tidemark.platform.query.domain;

import java.time.Instant;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values by bucket, ascending. Whoever adds mostly does so in this order: then a bucket costs a
 * comparison and no object of its own. Mutable; nothing is removed.
 */
public final class BucketMap<V> extends AbstractMap<Instant, V> {

  private static final int FIRST_SIZE = 4;

  private Instant[] buckets = new Instant[FIRST_SIZE];
  private Object[] values = new Object[FIRST_SIZE];
  private int size;

  /** Where the next one is looked for first. */
  private int next;

  @Override
  public int size() {
    return size;
  }

  @Override
  public @Nullable V get(Object bucket) {
    int place = bucket instanceof Instant time ? place(time) : -1;
    return place < 0 ? null : value(place);
  }

  @Override
  public boolean containsKey(Object bucket) {
    return get(bucket) != null;
  }

  @Override
  public @Nullable V put(Instant bucket, V value) {
    int place = place(bucket);
    if (place < 0) {
      insert(-place - 1, bucket, value);
      return null;
    }
    V before = value(place);
    values[place] = value;
    return before;
  }

  @Override
  public V merge(Instant bucket, V value, BiFunction<? super V, ? super V, ? extends V> both) {
    int place = place(bucket);
    if (place < 0) {
      insert(-place - 1, bucket, value);
      return value;
    }
    V merged = both.apply(value(place), value);
    values[place] = merged;
    return merged;
  }

  @Override
  public V computeIfAbsent(Instant bucket, Function<? super Instant, ? extends V> first) {
    int place = place(bucket);
    if (place >= 0) {
      return value(place);
    }
    V value = first.apply(bucket);
    insert(-place - 1, bucket, value);
    return value;
  }

  @Override
  public void forEach(BiConsumer<? super Instant, ? super V> each) {
    for (int i = 0; i < size; i++) {
      each.accept(buckets[i], value(i));
    }
  }

  /** A place, or where it would have to be, as {@link Arrays#binarySearch} says it. */
  private int place(Instant bucket) {
    int place;
    if (next < size && buckets[next].equals(bucket)) {
      place = next;
    } else if (size == 0 || buckets[size - 1].isBefore(bucket)) {
      place = -size - 1;
    } else {
      place = Arrays.binarySearch(buckets, 0, size, bucket);
    }
    next = (place < 0 ? -place - 1 : place) + 1;
    return place;
  }

  private void insert(int place, Instant bucket, V value) {
    if (size == buckets.length) {
      buckets = Arrays.copyOf(buckets, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    System.arraycopy(buckets, place, buckets, place + 1, size - place);
    System.arraycopy(values, place, values, place + 1, size - place);
    buckets[place] = bucket;
    values[place] = value;
    size++;
  }

  @SuppressWarnings("unchecked")
  private V value(int place) {
    return (V) values[place];
  }

  @Override
  public Set<Map.Entry<Instant, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<Instant, V>> iterator() {
        return new Iterator<>() {
          private int place;

          @Override
          public boolean hasNext() {
            return place < size;
          }

          @Override
          public Map.Entry<Instant, V> next() {
            if (place == size) {
              throw new NoSuchElementException();
            }
            Map.Entry<Instant, V> entry = Map.entry(buckets[place], value(place));
            place++;
            return entry;
          }
        };
      }

      @Override
      public int size() {
        return size;
      }
    };
  }
}
