package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names as senders choose them, and their form in paths: names may hold slashes, which paths
 * cannot.
 */
public final class CatalogName {

  static final int LONGEST = 255;

  private CatalogName() {}

  /** Whether the catalogue can hold the name. */
  static boolean fits(@Nullable String name) {
    return name != null
        && !name.isEmpty()
        && name.length() <= LONGEST
        && name.codePoints().noneMatch(Character::isISOControl)
        && StandardCharsets.UTF_8.newEncoder().canEncode(name);
  }

  static void check(String field, String name, List<String> faults) {
    if (!fits(name)) {
      faults.add(field + " must be 1 to " + LONGEST + " characters, no control characters.");
    }
  }

  /** The identifier of the name. */
  public static String idOf(String name) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(name.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The name of an identifier.
   *
   * @throws ProblemException {@code not_found} when it is the identifier of no name
   */
  static String ofId(String id, String what) {
    try {
      String name =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(id)))
              .toString();
      // PostgreSQL takes no null character in a text.
      if (idOf(name).equals(id) && name.indexOf('\0') < 0) {
        return name;
      }
    } catch (IllegalArgumentException | CharacterCodingException notOurs) {
      // Answered below.
    }
    throw ProblemException.of(ErrorCode.NOT_FOUND, "There is no such " + what + ".");
  }
}
