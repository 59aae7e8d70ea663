package io.tidemark.platform.testing;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.time.Instant;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;

/** What an app of one-time codes shows. */
public final class TestingOneTimeCodes {

  private TestingOneTimeCodes() {}

  /**
   * The code so many steps of thirty seconds from a time.
   *
   * @param secret in base 32, as the page shows it
   */
  public static String of(String secret, Instant now, int steps) throws InvalidKeyException {
    TimeBasedOneTimePasswordGenerator app = new TimeBasedOneTimePasswordGenerator();
    return app.generateOneTimePasswordString(
        new SecretKeySpec(bytes(secret), app.getAlgorithm()),
        now.plus(app.getTimeStep().multipliedBy(steps)));
  }

  private static byte[] bytes(String base32) {
    BigInteger number = BigInteger.ONE;
    for (char letter : base32.toCharArray()) {
      number =
          number
              .shiftLeft(5)
              .or(BigInteger.valueOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter)));
    }
    byte[] withOne = number.toByteArray();
    return Arrays.copyOfRange(withOne, withOne.length - 20, withOne.length);
  }
}
