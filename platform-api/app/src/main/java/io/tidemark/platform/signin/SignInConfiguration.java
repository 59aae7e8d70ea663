package io.tidemark.platform.signin;

import io.tidemark.platform.access.InvitationLinks;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.tenancy.Organizations;
import java.security.SecureRandom;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** What all parts of sign-in stand on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSignIn
class SignInConfiguration {

  @Bean
  SecretSealer sealing(SignInProperties properties) {
    return new SecretSealer(properties.secret(), properties.acceptedSecrets(), new SecureRandom());
  }

  @Bean
  PublicAddress publicAddress(SignInProperties properties, Environment environment) {
    return new PublicAddress(properties.publicUrl(), environment);
  }

  @Bean
  ConsoleClient consoleClient(SecretSealer sealing, PublicAddress address) {
    return new ConsoleClient(sealing, address);
  }

  @Bean
  InvitationLinks invitationLinks(PublicAddress address) {
    return token -> address.origin() + "/join?token=" + token;
  }

  /** Its audit log tells of sign-ins, so it has to be there before the first one. */
  @Bean
  SmartInitializingSingleton platformOrganization(Organizations organizations) {
    return () -> organizations.ensurePlatform(Actor.system("sign-in"));
  }
}
