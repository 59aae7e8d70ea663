package io.tidemark.platform.signin.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.web.SecurityFilterChain;

class KeyOnlySecurityTest {

  private final WebApplicationContextRunner runner =
      new WebApplicationContextRunner().withUserConfiguration(KeyOnlySecurity.class);

  @Test
  void whereNobodySignsInNoFilterStandsBeforeTheDoors() {
    runner
        .withPropertyValues("tidemark.sign-in.provider=off")
        .run(
            context ->
                assertThat(context.getBean(SecurityFilterChain.class).getFilters()).isEmpty());
  }

  @Test
  void wherePeopleSignInItStaysOutOfTheWay() {
    runner.run(context -> assertThat(context).doesNotHaveBean(SecurityFilterChain.class));
  }
}
