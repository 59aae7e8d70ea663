package io.tidemark.platform.signin.provider;

import io.tidemark.platform.signin.SecretSealer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;

/**
 * What codes stand for until they are redeemed, in PostgreSQL, because another instance may redeem
 * them. Found by the code alone: the tokens of a redeemed one are thrown away by who gets them, so
 * nobody ever asks for them. Sealed, so that what is read back is what was written here.
 */
final class JdbcAuthorizationService implements OAuth2AuthorizationService {

  private static final String PURPOSE = "authorization";

  private record Row(String id, byte[] sealed) {}

  private final JdbcClient jdbc;
  private final SecretSealer sealing;
  private final Clock clock;

  JdbcAuthorizationService(JdbcClient jdbc, SecretSealer sealing, Clock clock) {
    this.jdbc = jdbc;
    this.sealing = sealing;
    this.clock = clock;
  }

  @Override
  public void save(OAuth2Authorization authorization) {
    OAuth2Authorization.Token<OAuth2AuthorizationCode> code =
        authorization.getToken(OAuth2AuthorizationCode.class);
    if (code == null) {
      return;
    }
    jdbc.sql("DELETE FROM identity.authorization_code WHERE expires_at < :now")
        .param("now", clock.instant().minusSeconds(60).atOffset(ZoneOffset.UTC))
        .update();
    jdbc.sql(
            """
            INSERT INTO identity.authorization_code AS c
              (code_hash, authorization_id, sealed, expires_at)
            VALUES (:hash, :id, :sealed, :expires)
            ON CONFLICT (code_hash) DO UPDATE SET sealed = excluded.sealed
            """)
        .param("hash", hash(code.getToken().getTokenValue()))
        .param("id", authorization.getId())
        .param("sealed", sealing.seal(PURPOSE, authorization.getId(), written(authorization)))
        .param(
            "expires",
            Objects.requireNonNull(code.getToken().getExpiresAt()).atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void remove(OAuth2Authorization authorization) {
    jdbc.sql("DELETE FROM identity.authorization_code WHERE authorization_id = :id")
        .param("id", authorization.getId())
        .update();
  }

  @Override
  public @Nullable OAuth2Authorization findById(String id) {
    return jdbc.sql(
            """
            SELECT authorization_id, sealed FROM identity.authorization_code
            WHERE authorization_id = :id
            """)
        .param("id", id)
        .query((row, number) -> new Row(row.getString(1), row.getBytes(2)))
        .optional()
        .flatMap(this::read)
        .orElse(null);
  }

  @Override
  public @Nullable OAuth2Authorization findByToken(String token, @Nullable OAuth2TokenType type) {
    if (type == null || !type.getValue().equals(OAuth2ParameterNames.CODE)) {
      return null;
    }
    return jdbc.sql(
            """
            SELECT authorization_id, sealed FROM identity.authorization_code
            WHERE code_hash = :hash
            """)
        .param("hash", hash(token))
        .query((row, number) -> new Row(row.getString(1), row.getBytes(2)))
        .optional()
        .flatMap(this::read)
        .orElse(null);
  }

  private static byte[] written(OAuth2Authorization authorization) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
      output.writeObject(authorization);
    } catch (IOException notSerializable) {
      throw new IllegalStateException("An authorization cannot be kept", notSerializable);
    }
    return bytes.toByteArray();
  }

  private Optional<OAuth2Authorization> read(Row row) {
    try (ObjectInputStream input =
        new ObjectInputStream(
            new ByteArrayInputStream(sealing.open(PURPOSE, row.id(), row.sealed())))) {
      return Optional.of((OAuth2Authorization) input.readObject());
    } catch (GeneralSecurityException | IOException | ClassNotFoundException unreadable) {
      // Written with another secret or by another version: the sign-in begins anew.
      return Optional.empty();
    }
  }

  private static byte[] hash(String code) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(code.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
