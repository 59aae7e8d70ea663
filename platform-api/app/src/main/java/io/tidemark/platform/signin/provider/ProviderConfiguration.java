package io.tidemark.platform.signin.provider;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import io.tidemark.platform.access.MailSender;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.signin.Accounts;
import io.tidemark.platform.signin.ConditionalOnEmbeddedProvider;
import io.tidemark.platform.signin.ConsoleClient;
import io.tidemark.platform.signin.PublicAddress;
import io.tidemark.platform.signin.SecretSealer;
import io.tidemark.platform.signin.SignInProperties;
import io.tidemark.platform.tenancy.Organizations;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.config.annotation.web.configurers.oauth2.server.authorization.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tidemark's own provider: OpenID Connect for one client, Tidemark itself. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnEmbeddedProvider
class ProviderConfiguration {

  static final String SIGN_IN_PAGE = "/identity/sign-in";

  @Bean
  JdbcAccounts accounts(JdbcClient jdbc, AuditLog audit, Clock clock) {
    return new JdbcAccounts(jdbc, new BCryptPasswordEncoder(12), audit, clock, new SecureRandom());
  }

  @Bean
  SecondFactors secondFactors(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      SecretSealer sealing,
      AuditLog audit,
      Clock clock) {
    return new SecondFactors(
        jdbc, new TransactionTemplate(transactions), sealing, audit, clock, new SecureRandom());
  }

  @Bean
  PasswordResets passwordResets(
      JdbcClient jdbc,
      JdbcAccounts accounts,
      SecretSealer sealing,
      MailSender mail,
      PublicAddress address,
      @Qualifier("applicationTaskExecutor") TaskExecutor executor,
      AuditLog audit,
      Clock clock) {
    return new PasswordResets(
        jdbc, accounts, sealing, mail, address, executor, audit, clock, new SecureRandom());
  }

  @Bean
  AccountSession accountSession(JdbcAccounts accounts, SignInProperties properties, Clock clock) {
    return new AccountSession(accounts::passwordChangedAt, properties.absoluteTime(), clock);
  }

  @Bean
  SigningKeys signingKeys(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      SecretSealer sealing,
      IdentifierSource identifiers,
      Clock clock) {
    return new SigningKeys(
        jdbc, new TransactionTemplate(transactions), sealing, identifiers, clock);
  }

  @Bean
  JwtEncoder jwtEncoder(JWKSource<SecurityContext> keys) {
    NimbusJwtEncoder encoder = new NimbusJwtEncoder(keys);
    // The newest signs.
    encoder.setJwkSelector(found -> found.get(0));
    return encoder;
  }

  @Bean
  JwtDecoder jwtDecoder(JWKSource<SecurityContext> keys) {
    return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
  }

  @Bean
  OAuth2AuthorizationService authorizations(JdbcClient jdbc, SecretSealer sealing, Clock clock) {
    return new JdbcAuthorizationService(jdbc, sealing, clock);
  }

  /** Made for each request, because the address may be known only once the server listens. */
  @Bean
  RegisteredClientRepository registeredClients(ConsoleClient console) {
    String secret = "{bcrypt}" + new BCryptPasswordEncoder().encode(console.secret());
    return new RegisteredClientRepository() {
      @Override
      public void save(RegisteredClient client) {
        throw new UnsupportedOperationException("There is one client, which is not changed");
      }

      @Override
      public @Nullable RegisteredClient findById(String id) {
        return console.id().equals(id) ? client(console, secret) : null;
      }

      @Override
      public @Nullable RegisteredClient findByClientId(String clientId) {
        return findById(clientId);
      }
    };
  }

  private static RegisteredClient client(ConsoleClient console, String secret) {
    return RegisteredClient.withId(console.id())
        .clientId(console.id())
        .clientSecret(secret)
        .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .redirectUri(console.redirectUri())
        .scope(OidcScopes.OPENID)
        .scope(OidcScopes.PROFILE)
        .scope(OidcScopes.EMAIL)
        .clientSettings(
            ClientSettings.builder()
                .requireProofKey(true)
                .requireAuthorizationConsent(false)
                .build())
        .tokenSettings(
            TokenSettings.builder()
                .authorizationCodeTimeToLive(Duration.ofMinutes(1))
                .accessTokenTimeToLive(Duration.ofMinutes(1))
                .build())
        .build();
  }

  @Bean
  AuthorizationServerSettings authorizationServerSettings(SignInProperties properties) {
    AuthorizationServerSettings.Builder settings = AuthorizationServerSettings.builder();
    // Else it is what requests are sent to, which is localhost and a port known later.
    if (!properties.publicUrl().isEmpty()) {
      settings.issuer(properties.publicUrl());
    }
    return settings.build();
  }

  /** Only a link that came by mail proves who reads the mail of an address. */
  @Bean
  OAuth2TokenCustomizer<JwtEncodingContext> whoTheAccountIs(Accounts accounts) {
    return context -> {
      if (context.getTokenType().getValue().equals(OidcParameterNames.ID_TOKEN)) {
        Accounts.Account account =
            accounts
                .find(Objects.requireNonNull(context.<Authentication>getPrincipal()).getName())
                .orElseThrow();
        context
            .getClaims()
            .claim("email", account.mail())
            .claim("email_verified", account.mailVerified())
            .claim("name", account.displayName());
      }
    };
  }

  @Bean
  @Order(1)
  SecurityFilterChain providerEndpoints(HttpSecurity http, AccountSession account)
      throws Exception {
    OAuth2AuthorizationServerConfigurer server = new OAuth2AuthorizationServerConfigurer();
    return http.securityMatcher(server.getEndpointsMatcher())
        .with(server, configurer -> configurer.oidc(oidc -> {}))
        .securityContext(context -> context.securityContextRepository(account))
        .requestCache(cache -> cache.disable())
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .exceptionHandling(
            refusals ->
                refusals.authenticationEntryPoint(
                    (request, response, unknown) -> {
                      if (request.getMethod().equals("GET")
                          && request.getRequestURI().equals("/oauth2/authorize")) {
                        account.remember(request);
                        response.sendRedirect(SIGN_IN_PAGE);
                      } else {
                        response.sendError(401);
                      }
                    }))
        .build();
  }

  /** Runs when the schema is migrated and before any port is opened. */
  @Bean
  SmartInitializingSingleton firstRun(
      SignInProperties properties, JdbcAccounts accounts, Organizations organizations) {
    return () -> {
      organizations.ensurePlatform(Actor.system("sign-in"));
      new FirstAdministrator(properties.firstAdministrator(), new SecureRandom()).ensure(accounts);
    };
  }
}
