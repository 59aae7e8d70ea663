package io.tidemark.platform.shared;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Places in lists as opaque texts. A cursor says where to go on and nothing about whose list it is,
 * so one made up or taken from elsewhere opens nothing.
 */
public final class Cursors {

  private static final String FORM = "1:";

  private Cursors() {}

  /** The cursor of a place; null for none. */
  public static @Nullable String of(@Nullable String place) {
    return place == null
        ? null
        : Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString((FORM + place).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The page that a request asks for.
   *
   * @throws ProblemException {@code invalid_request}
   */
  public static PageRequest page(Integer limit, @Nullable String cursor) {
    return new PageRequest(
        limit == null ? PageRequest.USUAL : limit, cursor == null ? "" : place(cursor));
  }

  private static String place(String cursor) {
    try {
      String place = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      // PostgreSQL takes no null character in a text.
      if (place.startsWith(FORM) && place.indexOf('\0') < 0) {
        return place.substring(FORM.length());
      }
    } catch (IllegalArgumentException notBase64) {
      // Refused below.
    }
    throw ProblemException.of(
        ErrorCode.INVALID_REQUEST,
        "cursor is not one that this API gave out. Take it from meta.next_cursor, or leave it out.");
  }
}
