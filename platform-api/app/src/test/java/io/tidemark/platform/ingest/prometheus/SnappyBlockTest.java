package io.tidemark.platform.ingest.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.testing.TestingRemoteWrite;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SnappyBlockTest {

  @Test
  void aBlockIsReadAsLongAsItDeclares() throws IOException {
    byte[] content = new byte[100_000];
    content[7] = 1;
    byte[] block = TestingRemoteWrite.snappy(content);
    assertThat(SnappyBlock.declaredSize(block)).hasValue(100_000);
    assertThat(SnappyBlock.content(block, 100_000)).isEqualTo(content);
  }

  @Test
  void aSizeThatIsNoneIsNotDeclared() {
    byte full = (byte) 0xff;
    assertThat(SnappyBlock.declaredSize(new byte[0])).isEmpty();
    assertThat(SnappyBlock.declaredSize(new byte[] {full})).isEmpty();
    assertThat(SnappyBlock.declaredSize(new byte[] {full, full, full, full, 0x0f}))
        .hasValue(0xffff_ffffL);
    assertThat(SnappyBlock.declaredSize(new byte[] {full, full, full, full, 0x1f})).isEmpty();
    assertThat(SnappyBlock.declaredSize(new byte[] {full, full, full, full, full, 1})).isEmpty();
  }

  @Test
  void damagedBlocksAreNoContentAndNoCrash() {
    Random random = new Random(20261121);
    byte[] content = new byte[3_000];
    random.nextBytes(content);
    byte[] whole = TestingRemoteWrite.snappy(content);
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = whole.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      SnappyBlock.declaredSize(damaged)
          .ifPresent(
              declared -> {
                if (declared <= 1 << 20) {
                  try {
                    assertThat(SnappyBlock.content(damaged, (int) declared))
                        .hasSize((int) declared);
                  } catch (IOException refused) {
                    assertThat(refused).hasMessageNotContaining("null");
                  }
                }
              });
    }
    assertThatThrownBy(() -> SnappyBlock.content(whole, 2_999)).isInstanceOf(IOException.class);
  }
}
