package io.tidemark.platform.access.domain;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The whole text of an API key, {@code tdm_<environment>_<id>_<secret><checksum>}.
 *
 * <p>The checksum lets a typing error, and a key found where it should not be, be recognised
 * without asking the database. It is the CRC-32 of all characters before it, as six base-62 digits.
 *
 * @param environment environment id, without underscores
 * @param id 16 characters of A-Z and 2-7; public
 * @param secretWithChecksum 40 characters of base 62 and the 6 of the checksum; what Basic
 *     credentials call the password
 */
public record ApiKeyText(String environment, String id, String secretWithChecksum) {

  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final Pattern ID = Pattern.compile("[A-Z2-7]{16}");
  private static final Pattern PASSWORD = Pattern.compile("[0-9A-Za-z]{46}");
  private static final Pattern SECRET = Pattern.compile("[0-9A-Za-z]{40}");

  /** Of 40 random ones, fewer come once in more than 10^12 times. */
  private static final int MIN_DIFFERENT = 14;

  private static final Pattern FORM =
      Pattern.compile(
          "(tdm_([a-z0-9][a-z0-9-]{0,62})_([A-Z2-7]{16})_[0-9A-Za-z]{40})([0-9A-Za-z]{6})");

  private static final String ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  /** A new key of the environment: 80 random bits of id, 238 of secret. */
  public static ApiKeyText draw(String environment, RandomGenerator random) {
    return of(environment, characters(DIGITS, 40, random), random);
  }

  /** A new key of the environment with a secret that {@link #isSecret}. */
  public static ApiKeyText of(String environment, String secret, RandomGenerator random) {
    String id = characters(ID_CHARACTERS, 16, random);
    String before = "tdm_" + environment + "_" + id + "_" + secret;
    return new ApiKeyText(environment, id, secret + checksum(before));
  }

  private static String characters(String alphabet, int count, RandomGenerator random) {
    StringBuilder drawn = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      drawn.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return drawn.toString();
  }

  /** The whole text, secret and all. */
  public String whole() {
    return "tdm_" + environment + "_" + id + "_" + secretWithChecksum;
  }

  /** The key that the text is; empty when {@link #faultOf} finds one. */
  public static Optional<ApiKeyText> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || !checksum(matcher.group(1)).equals(matcher.group(4))) {
      return Optional.empty();
    }
    return Optional.of(
        new ApiKeyText(matcher.group(2), matcher.group(3), text.substring(text.length() - 46)));
  }

  /** What is wrong with the text, without repeating it; empty when it is a key. */
  public static Optional<String> faultOf(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.of("not a key, which looks like tdm_<environment>_<id>_<secret>");
    }
    return parse(text).isPresent()
        ? Optional.empty()
        : Optional.of("the checksum of the key is wrong; a character is missing or mistyped");
  }

  /** Whether the text can be the public id of a key. */
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /** Whether the text can be the password of a key: secret and checksum. */
  public static boolean isPassword(String text) {
    return PASSWORD.matcher(text).matches();
  }

  /** Whether the text can be a secret; one with few different characters was not drawn. */
  public static boolean isSecret(String text) {
    return SECRET.matcher(text).matches() && text.chars().distinct().count() >= MIN_DIFFERENT;
  }

  /** The six base-62 digits, most significant first, for the text before the checksum. */
  public static String checksum(String beforeChecksum) {
    CRC32 crc = new CRC32();
    crc.update(beforeChecksum.getBytes(StandardCharsets.US_ASCII));
    char[] digits = new char[6];
    long rest = crc.getValue();
    for (int i = digits.length - 1; i >= 0; i--) {
      digits[i] = DIGITS.charAt((int) (rest % 62));
      rest /= 62;
    }
    return new String(digits);
  }

  /** Shows the public part only. */
  @Override
  public String toString() {
    return "ApiKeyText[" + id + "]";
  }
}
