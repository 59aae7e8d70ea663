package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RestoredDatabaseTest {
  /** Nobody can tell from PostgreSQL which tables such a catalog has. */
  @Test
  void aCatalogThatIsNotInTheDatabaseIsLeftAlone() throws Exception {
    RestoredDatabase restored =
        new RestoredDatabase(ProvisionLockTest.addresses("https://catalog"));
    assertThat(restored.pointTablesToTheirNewest())
        .isEqualTo(
            List.of(
                "The lake's catalog at https://catalog is not in this database: its tables stay as"
                    + " they are"));
  }
}
