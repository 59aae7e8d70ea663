package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JavaHeapsTest {
  @Test
  void aProcessMayHoldItsHeapAndItsBuffers() {
    assertThat(
            JavaHeaps.limit("java\0-Xmx512m\0-XX:MaxDirectMemorySize=200m\0-cp\0a.jar\0b.Main\0"))
        .hasValue(712L);
  }

  @Test
  void aProcessWithoutTheFlagsHasNoLimit() {
    assertThat(JavaHeaps.limit("postgres\0-D\0data\0")).isEmpty();
  }

  @Test
  void whatIsHeldIsAliveAndWhatIsDroppedIsNot() throws Exception {
    Map<String, Long> self = Map.of("self", ProcessHandle.current().pid());
    byte[] held = new byte[64 << 20];
    long with = JavaHeaps.live(self).get("self");
    assertThat(held).hasSize(64 << 20);
    held = null;
    assertThat(JavaHeaps.live(self).get("self")).isBetween(with - 80, with - 48);
  }

  @Test
  void aProcessThatIsNotJavaIsRefused() {
    assertThatThrownBy(() -> JavaHeaps.liveMebibytes("12345: No such process"))
        .isInstanceOf(IOException.class);
  }
}
