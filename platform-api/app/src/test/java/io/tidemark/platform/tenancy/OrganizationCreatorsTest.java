package io.tidemark.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class OrganizationCreatorsTest {

  private static OrganizationCreators set(Map<String, String> settings) {
    return new Binder(new MapConfigurationPropertySource(settings))
        .bindOrCreate("tidemark.plan", PlanProperties.class)
        .organizationCreators();
  }

  @Test
  void administratorsCreateOrganisationsUnlessTheSettingsSayOtherwise() {
    OrganizationCreators usual = set(Map.of());
    assertThat(usual.include(true)).isTrue();
    assertThat(usual.include(false)).isFalse();

    String setting = "tidemark.plan.organization-creators";
    assertThat(set(Map.of(setting, "anyone")).include(false)).isTrue();
    assertThat(set(Map.of(setting, "nobody")).include(true)).isFalse();
  }
}
