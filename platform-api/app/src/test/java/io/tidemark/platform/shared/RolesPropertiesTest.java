package io.tidemark.platform.shared;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two first regions would both meter and alert; a second one has the role query alone. */
class RolesPropertiesTest {

  @ParameterizedTest
  @CsvSource({"'',''", "'query,control',''", "query,west", "query,eu-2"})
  void whatGoesTogetherIsTaken(String roles, String region) {
    assertThat(new RolesProperties(roles, region).faults()).isEmpty();
  }

  @Test
  void whatDoesNotIsRefusedWithWhatToDo() {
    assertThat(new RolesProperties("", "west").faults())
        .singleElement()
        .asString()
        .contains("TIDEMARK_ROLES=query", "unset it in the first");
    assertThat(new RolesProperties("query,control", "west").faults()).hasSize(1);
    assertThat(new RolesProperties("query", "West Europe").faults())
        .singleElement()
        .asString()
        .startsWith("TIDEMARK_REGION must be lower-case");
    assertThat(new RolesProperties("answer", "").faults())
        .singleElement()
        .asString()
        .startsWith("TIDEMARK_ROLES must name some of ingest, query, control, notify");
  }
}
