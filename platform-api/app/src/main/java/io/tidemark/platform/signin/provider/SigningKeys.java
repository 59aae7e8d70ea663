package io.tidemark.platform.signin.provider;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.signin.SecretSealer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The keys that the provider signs with, newest first, kept sealed in the table
 * identity.signing_key. They are read anew each time, so that all instances have the same. A key
 * signs for 90 days and is published for one day more.
 */
final class SigningKeys implements JWKSource<SecurityContext> {

  private static final String PURPOSE = "signing key";
  private static final Duration SIGNS = Duration.ofDays(90);
  private static final Duration PUBLISHED = SIGNS.plusDays(1);

  private record Row(String id, byte[] sealed) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final SecretSealer sealing;
  private final IdentifierSource identifiers;
  private final Clock clock;

  SigningKeys(
      JdbcClient jdbc,
      TransactionTemplate transactions,
      SecretSealer sealing,
      IdentifierSource identifiers,
      Clock clock) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.sealing = sealing;
    this.identifiers = identifiers;
    this.clock = clock;
  }

  @Override
  public List<JWK> get(JWKSelector selector, SecurityContext context) throws KeySourceException {
    List<JWK> keys = read(SIGNS);
    if (keys.isEmpty()) {
      makeIfMissing();
    }
    return selector.select(new JWKSet(read(PUBLISHED)));
  }

  /** Of several instances one makes the key, and the others wait for it. */
  void makeIfMissing() {
    transactions.executeWithoutResult(
        status -> {
          jdbc.sql("SELECT pg_advisory_xact_lock(hashtext('identity.signing_key'))")
              .query((row, number) -> "")
              .list();
          if (!read(SIGNS).isEmpty()) {
            return;
          }
          RSAKey key = draw();
          jdbc.sql(
                  """
                  INSERT INTO identity.signing_key (id, created_at, sealed)
                  VALUES (:id, :now, :sealed)
                  """)
              .param("id", key.getKeyID())
              .param("now", clock.instant().atOffset(ZoneOffset.UTC))
              .param(
                  "sealed",
                  sealing.seal(
                      PURPOSE, key.getKeyID(), key.toJSONString().getBytes(StandardCharsets.UTF_8)))
              .update();
          jdbc.sql("DELETE FROM identity.signing_key WHERE created_at < :old")
              .param("old", clock.instant().minus(PUBLISHED).atOffset(ZoneOffset.UTC))
              .update();
        });
  }

  private RSAKey draw() {
    try {
      return new RSAKeyGenerator(2048)
          .keyID(identifiers.next())
          .keyUse(KeyUse.SIGNATURE)
          .generate();
    } catch (JOSEException impossible) {
      throw new IllegalStateException("Every Java platform makes RSA keys", impossible);
    }
  }

  private List<JWK> read(Duration age) {
    Instant since = clock.instant().minus(age);
    List<JWK> keys = new ArrayList<>();
    jdbc.sql(
            """
            SELECT id, sealed FROM identity.signing_key WHERE created_at > :since
            ORDER BY created_at DESC, id
            """)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .query((row, number) -> new Row(row.getString(1), row.getBytes(2)))
        .list()
        .forEach(row -> open(row, keys));
    return keys;
  }

  /** A key of another secret is as good as none: a new one is made. */
  private void open(Row row, List<JWK> keys) {
    try {
      keys.add(
          JWK.parse(
              new String(sealing.open(PURPOSE, row.id(), row.sealed()), StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException | ParseException otherSecret) {
      // Not ours to use.
    }
  }
}
