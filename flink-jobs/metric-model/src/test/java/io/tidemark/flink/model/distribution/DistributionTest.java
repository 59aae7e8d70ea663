package io.tidemark.flink.model.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DistributionTest {

  @Test
  void partsAddUpInAnyOrder() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      List<Distribution> parts = new ArrayList<>();
      Map<Integer, Long> expected = new TreeMap<>();
      for (int part = 0; part < 20; part++) {
        Distribution distribution = random(random);
        parts.add(distribution);
        for (int i = 0; i < distribution.size(); i++) {
          expected.merge(distribution.bucket(i), distribution.count(i), Long::sum);
        }
      }
      expected.values().removeIf(count -> count == 0);
      Distribution first = sum(parts);
      Collections.shuffle(parts, random);
      Distribution second = sum(parts);

      assertEquals(first, second);
      assertEquals(first.hashCode(), second.hashCode());
      Map<Integer, Long> added = new TreeMap<>();
      for (int i = 0; i < first.size(); i++) {
        added.put(first.bucket(i), first.count(i));
      }
      assertEquals(expected, added);
      parts.forEach(second::subtract);
      assertTrue(second.isEmpty(), "what is taken away leaves nothing behind");
    }
  }

  @Test
  void singleBucketsAreAddedAndTakenAwayWhereTheyBelong() {
    Random random = new Random(5);
    NavigableMap<Integer, Long> expected = new TreeMap<>();
    Distribution total = new Distribution();
    for (int round = 0; round < 10_000; round++) {
      int bucket = random.nextInt(40) - 20;
      long count = random.nextInt(3);
      Distribution single = new Distribution();
      single.append(bucket, count);
      if (random.nextBoolean()) {
        total.add(single);
        expected.merge(bucket, count, Long::sum);
      } else {
        total.subtract(single);
        expected.merge(bucket, -count, Long::sum);
      }
      expected.values().removeIf(left -> left == 0);
    }
    Distribution sorted = new Distribution();
    expected.forEach(sorted::append);
    assertEquals(sorted, total);
  }

  @Test
  void bytesAreExact() {
    Random random = new Random(4);
    for (int round = 0; round < 1_000; round++) {
      Distribution distribution = random(random);
      ByteBuffer bytes = ByteBuffer.allocate(distribution.encodedSize());
      distribution.encode(bytes);
      bytes.flip();
      assertEquals(distribution, Distribution.decode(bytes));
      assertFalse(bytes.hasRemaining());
    }
  }

  @Test
  void fewBucketsTakeFewBytes() {
    Distribution distribution = new Distribution();
    for (int bucket = 1000; bucket < 1010; bucket++) {
      distribution.append(bucket, 7);
    }
    ByteBuffer bytes = ByteBuffer.allocate(distribution.encodedSize());
    distribution.encode(bytes);

    assertEquals(1 + 2 + 10 + 9, bytes.position());
  }

  @Test
  void laterTotalsAreAtLeastEarlierOnes() {
    Distribution earlier = of(1, 5, 3, 2);

    assertTrue(of(1, 5, 2, 9, 3, 2).isAtLeast(earlier));
    assertTrue(earlier.isAtLeast(new Distribution()));
    assertFalse(of(1, 5, 3, 1).isAtLeast(earlier));
    assertFalse(of(1, 50).isAtLeast(earlier));
    assertFalse(new Distribution().isAtLeast(earlier));
  }

  @Test
  void bucketsAreAppendedInOrder() {
    Distribution distribution = of(-5, 1, 0, 2, 0, 3, 7, 0);

    assertEquals("[-5:1 0:5]", distribution.toString());
    assertThrows(IllegalArgumentException.class, () -> distribution.append(-1, 1));
  }

  @Test
  void copiesAreTheirOwn() {
    Distribution original = of(1, 1);
    Distribution copy = original.copy();
    copy.add(of(2, 2));

    assertEquals(of(1, 1), original);
    assertEquals(of(1, 1, 2, 2), copy);
    copy.clear();
    assertEquals(new Distribution(), copy);
  }

  private static Distribution sum(List<Distribution> parts) {
    Distribution sum = new Distribution();
    parts.forEach(sum::add);
    return sum;
  }

  /** Some buckets with counts above and below zero, of every magnitude. */
  private static Distribution random(Random random) {
    Distribution distribution = new Distribution();
    int bucket = -BucketGrid.MAX;
    while (bucket <= BucketGrid.MAX && random.nextInt(20) > 0) {
      distribution.append(bucket, random.nextLong() >> (8 + random.nextInt(55)));
      bucket += random.nextInt(random.nextBoolean() ? 3 : 1_000);
    }
    return distribution;
  }

  private static Distribution of(int... bucketsAndCounts) {
    Distribution distribution = new Distribution();
    for (int i = 0; i < bucketsAndCounts.length; i += 2) {
      distribution.append(bucketsAndCounts[i], bucketsAndCounts[i + 1]);
    }
    return distribution;
  }
}
