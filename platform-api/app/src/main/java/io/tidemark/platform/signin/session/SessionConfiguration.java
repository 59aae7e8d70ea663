package io.tidemark.platform.signin.session;

import io.tidemark.platform.access.SessionRevoker;
import io.tidemark.platform.signin.ConditionalOnSignIn;
import io.tidemark.platform.signin.SecretSealer;
import io.tidemark.platform.signin.SignInProperties;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.core.serializer.support.SerializingConverter;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.session.jdbc.PostgreSqlJdbcIndexedSessionRepositoryCustomizer;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Sessions are kept in PostgreSQL, so that every instance knows them and a restart ends none. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSignIn
class SessionConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(SessionConfiguration.class);

  /** Of a browser that is on its way to sign in, or gave up. */
  private static final Duration BEFORE_SIGN_IN = Duration.ofMinutes(15);

  /**
   * Spring Session's own query in an order. It takes rows that follow each other for one session;
   * joined in another way, a session comes apart and has lost attributes.
   */
  private static final String SESSIONS_OF_PERSON =
      """
      SELECT s.primary_id, s.session_id, s.creation_time, s.last_access_time,
          s.max_inactive_interval, sa.attribute_name, sa.attribute_bytes
      FROM identity.session s
      LEFT JOIN identity.session_attributes sa ON s.primary_id = sa.session_primary_id
      WHERE s.principal_name = ?
      ORDER BY s.primary_id
      """;

  @Bean
  JdbcIndexedSessionRepository sessionRepository(
      JdbcOperations jdbc, PlatformTransactionManager transactions) {
    TransactionTemplate own = new TransactionTemplate(transactions);
    own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    JdbcIndexedSessionRepository repository = new JdbcIndexedSessionRepository(jdbc, own);
    repository.setTableName("identity.session");
    repository.setListSessionsByPrincipalNameQuery(SESSIONS_OF_PERSON);
    repository.setDefaultMaxInactiveInterval(BEFORE_SIGN_IN);
    repository.setConversionService(attributes());
    new PostgreSqlJdbcIndexedSessionRepositoryCustomizer().customize(repository);
    return repository;
  }

  @Bean
  SessionCookie sessionCookie(SecretSealer sealing) {
    return new SessionCookie(sealing);
  }

  @Bean
  PersonSession personSession(
      JdbcIndexedSessionRepository sessions, SignInProperties properties, Clock clock) {
    return new PersonSession(sessions, properties.idleTime(), properties.absoluteTime(), clock);
  }

  @Bean
  SessionRevoker sessionRevoker(PersonSession sessions) {
    return person -> sessions.endAll(person, null);
  }

  /** Only where people come; the doors of metrics have no sessions. */
  @Bean
  FilterRegistrationBean<SessionRepositoryFilter<?>> sessionFilter(
      JdbcIndexedSessionRepository sessions, SessionCookie cookie) {
    var filter = new SessionRepositoryFilter<>(sessions);
    filter.setHttpSessionIdResolver(cookie);
    FilterRegistrationBean<SessionRepositoryFilter<?>> registration =
        new FilterRegistrationBean<>(filter);
    registration.setOrder(SessionRepositoryFilter.DEFAULT_ORDER);
    registration.addUrlPatterns(
        "/api/v1/*",
        "/v2/*",
        "/billing/v1/*",
        "/auth/*",
        "/identity/*",
        "/oauth2/*",
        "/join/*",
        "/account/*");
    return registration;
  }

  /**
   * Attributes are texts, numbers and a few types of Spring Security; nothing else is read back,
   * and what cannot be read (another version wrote it) is not there.
   */
  private static GenericConversionService attributes() {
    GenericConversionService conversion = new GenericConversionService();
    conversion.addConverter(Object.class, byte[].class, new SerializingConverter());
    Converter<byte[], @Nullable Object> reading = SessionConfiguration::read;
    conversion.addConverter(byte[].class, Object.class, reading);
    return conversion;
  }

  private static @Nullable Object read(byte[] bytes) {
    try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      input.setObjectInputFilter(
          ObjectInputFilter.Config.createFilter(
              "maxdepth=20;java.lang.*;java.util.*;java.time.*;"
                  + "org.springframework.security.oauth2.core.**;"
                  + "org.springframework.security.web.csrf.*;!*"));
      return input.readObject();
    } catch (IOException | ClassNotFoundException unreadable) {
      LOG.warn(
          "An attribute of a session cannot be read and is left out: {}", unreadable.toString());
      return null;
    }
  }
}
