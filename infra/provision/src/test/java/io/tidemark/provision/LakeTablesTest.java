package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LakeTablesTest {
  @Test
  void createdTablesAreCounted() {
    assertThat(LakeTables.report(List.of("lake.a created", "lake.b unchanged")).summary())
        .isEqualTo("1 created");
    assertThat(LakeTables.report(List.of("lake.a unchanged", "lake.b unchanged")).summary())
        .isEqualTo("2 as declared");
  }
}
