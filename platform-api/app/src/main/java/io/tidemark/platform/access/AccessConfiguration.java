package io.tidemark.platform.access;

import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.access.application.AuthenticatingApiKey;
import io.tidemark.platform.access.application.BootstrappingKeys;
import io.tidemark.platform.access.application.FindApiKey;
import io.tidemark.platform.access.application.StoreApiKey;
import io.tidemark.platform.access.caffeine.RememberingApiKeys;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.tenancy.Organizations;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the module together. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {

  @Bean
  SecretHash secretHash(AccessProperties properties) {
    return new SecretHash(properties.pepperBytes());
  }

  @Bean
  Authentication authentication(FindApiKey keys, SecretHash hash, AccessProperties properties) {
    return new AuthenticatingApiKey(
        new RememberingApiKeys(keys, properties.keyCacheTime(), Ticker.systemTicker()), hash);
  }

  /** Runs when all beans exist and the schema is migrated, before any port is opened. */
  @Bean
  SmartInitializingSingleton bootstrapKeys(
      AccessProperties properties, Organizations organizations, StoreApiKey keys, SecretHash hash) {
    return () ->
        new BootstrappingKeys(organizations, keys, hash).ensure(properties.bootstrapGrants());
  }
}
