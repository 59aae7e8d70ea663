package io.tidemark.platform.signin.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.signin.Accounts;
import io.tidemark.platform.signin.SecretSealer;
import io.tidemark.platform.signin.SignInProperties;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingOneTimeCodes;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Whoever has a second factor signs in with it while the secret of sign-in is replaced, and after.
 */
@ExtendWith(RunningPlatform.Extension.class)
class SecondFactorRenewalIT {
  private static final String REPLACED = "another secret of 32 characters, at least";
  private static final String FROM = "127.0.0.1";

  private final RunningPlatform platform;

  SecondFactorRenewalIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @Test
  void factorsAndRecoveryCodesOutliveTheSecret() throws Exception {
    String present = platform.bean(SignInProperties.class).secret();
    String account =
        platform
            .bean(Accounts.class)
            .create("renewed@example.org", "Renewed", "three quiet herons", true)
            .id();
    SecondFactors before = factors(present, List.of());
    String shown = before.enrol(account, "renewed@example.org").secret();
    List<String> recovery =
        before.confirm(account, TestingOneTimeCodes.of(shown, Instant.now(), 0), FROM);
    SecondFactors both = factors(REPLACED, List.of(present));
    try {
      both.check(account, recovery.get(0), FROM);
      assertThat(both.renew()).isPositive();
      assertThat(both.renew()).isZero();

      SecondFactors after = factors(REPLACED, List.of());
      after.check(account, TestingOneTimeCodes.of(shown, Instant.now(), 1), FROM);
      assertThat(refused(() -> after.check(account, recovery.get(1), FROM)))
          .as("recovery codes of a secret that is accepted no more")
          .isTrue();
    } finally {
      factors(present, List.of(REPLACED)).renew();
    }
  }

  private static boolean refused(Runnable check) {
    try {
      check.run();
      return false;
    } catch (ProblemException refused) {
      return true;
    }
  }

  private SecondFactors factors(String present, List<String> accepted) {
    return new SecondFactors(
        platform.bean(JdbcClient.class),
        new TransactionTemplate(platform.bean(PlatformTransactionManager.class)),
        new SecretSealer(present, accepted, new SecureRandom()),
        platform.bean(AuditLog.class),
        Clock.systemUTC(),
        new SecureRandom());
  }
}
