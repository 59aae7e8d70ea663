package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.panes.PaneAggregate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CellBytesTest {

  private static final double[] STRANGE = {
    0.0, -0.0, 1, -1, Double.NaN, Double.MIN_VALUE, Double.MAX_VALUE, 0.1, 1e300
  };

  private final Random random = new Random(38);

  @Test
  void everyBitComesBack() {
    for (int round = 0; round < 10_000; round++) {
      List<PaneAggregate> cells = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        PaneAggregate cell = new PaneAggregate();
        cell.sum = figure();
        cell.min = random.nextBoolean() ? cell.sum : figure();
        cell.max = random.nextBoolean() ? cell.sum : figure();
        cell.last = List.of(cell.sum, cell.min, cell.max, figure()).get(random.nextInt(4));
        cell.count = whole();
        cell.lastTimeUnixNano =
            i > 0 && random.nextBoolean() ? cells.get(0).lastTimeUnixNano : whole();
        cells.add(cell);
      }

      ByteBuffer bytes = ByteBuffer.allocate(cells.size() * CellBytes.LARGEST);
      CellBytes written = new CellBytes();
      cells.forEach(cell -> written.put(bytes, cell));
      bytes.flip();
      CellBytes read = new CellBytes();
      for (PaneAggregate cell : cells) {
        PaneAggregate back = new PaneAggregate();
        read.get(bytes, back);
        assertEquals(bits(cell), bits(back));
      }
      assertFalse(bytes.hasRemaining());
    }
  }

  /** What an open minute holds most of the time. */
  @Test
  void aCellOfOnePointTakesNineBytesBesideAnother() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * CellBytes.LARGEST);
    CellBytes written = new CellBytes();
    PaneAggregate cell = new PaneAggregate().ofValue(0.1, 1_795_267_200_000_000_000L);
    written.put(bytes, cell);
    int first = bytes.position();
    written.put(bytes, cell);

    assertTrue(first <= 19);
    assertEquals(9, bytes.position() - first);
  }

  private static List<Long> bits(PaneAggregate cell) {
    return List.of(
        Double.doubleToRawLongBits(cell.sum),
        Double.doubleToRawLongBits(cell.min),
        Double.doubleToRawLongBits(cell.max),
        Double.doubleToRawLongBits(cell.last),
        cell.count,
        cell.lastTimeUnixNano);
  }

  private double figure() {
    return random.nextInt(3) == 0 ? STRANGE[random.nextInt(STRANGE.length)] : random.nextDouble();
  }

  private long whole() {
    return switch (random.nextInt(5)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> 1;
      case 3 -> random.nextLong();
      default -> random.nextInt(1_000) - 500;
    };
  }
}
