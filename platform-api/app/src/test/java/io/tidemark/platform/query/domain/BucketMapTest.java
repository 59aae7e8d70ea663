package io.tidemark.platform.query.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BucketMapTest {

  @Test
  void whateverTheOrderItIsASortedMap() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      BucketMap<Integer> some = new BucketMap<>();
      TreeMap<Instant, Integer> plain = new TreeMap<>();
      int time = 0;
      for (int i = 0; i < 100; i++) {
        // Mostly the next bucket, at times any.
        time = random.nextInt(8) > 0 ? time + 1 : random.nextInt(40);
        Instant bucket = Instant.ofEpochSecond(60L * time);
        int value = i;
        switch (random.nextInt(3)) {
          case 0 -> {
            some.merge(bucket, value, Integer::sum);
            plain.merge(bucket, value, Integer::sum);
          }
          case 1 ->
              assertThat(some.computeIfAbsent(bucket, ignored -> value))
                  .isEqualTo(plain.computeIfAbsent(bucket, ignored -> value));
          default -> assertThat(some.put(bucket, value)).isEqualTo(plain.put(bucket, value));
        }
        assertThat(some.get(bucket)).isEqualTo(plain.get(bucket));
      }
      assertThat(new ArrayList<>(some.entrySet())).isEqualTo(new ArrayList<>(plain.entrySet()));
      assertThat(some).hasSameSizeAs(plain).isEqualTo(plain);
      List<Map.Entry<Instant, Integer>> each = new ArrayList<>();
      some.forEach((bucket, value) -> each.add(Map.entry(bucket, value)));
      assertThat(each).isEqualTo(new ArrayList<>(plain.entrySet()));
      assertThat(some.get(Instant.ofEpochSecond(7))).isNull();
    }
  }
}
