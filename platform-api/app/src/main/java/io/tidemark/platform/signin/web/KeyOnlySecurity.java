package io.tidemark.platform.signin.web;

import io.tidemark.platform.signin.ConditionalOnSignIn;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/**
 * Where nobody signs in, keys alone decide, at each door and API itself. Without a chain of our own
 * Spring Boot would put one before all of them that asks for a password nobody has.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(KeyOnlySecurity.NobodySignsIn.class)
class KeyOnlySecurity {

  /** The opposite of {@link ConditionalOnSignIn}. */
  static final class NobodySignsIn extends NoneNestedConditions {

    NobodySignsIn() {
      super(ConfigurationPhase.PARSE_CONFIGURATION);
    }

    @ConditionalOnSignIn
    static final class SomebodySignsIn {}
  }

  @Bean
  SecurityFilterChain nothingInBetween() {
    return new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE);
  }

  @Bean
  HttpFirewall firewall() {
    return new CanonicalPathFirewall();
  }
}
