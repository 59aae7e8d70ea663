package io.tidemark.platform.ingest.domain;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a sender calls a batch by, so that it can tell a resend from another batch of the same
 * bytes, and ask for the receipt. 1 to 128 visible ASCII characters.
 */
public record IdempotencyKey(String value) {

  private static final Pattern FORM = Pattern.compile("[!-~]{1,128}");

  /** Name of the header, and in lower case of the metadata of gRPC. */
  public static final String HEADER = "Idempotency-Key";

  /**
   * The key of a header.
   *
   * @param header null when there is none
   * @return null when there is none
   * @throws ProblemException {@code invalid_request} when it is not a key
   */
  public static @Nullable IdempotencyKey of(@Nullable String header) {
    return header == null ? null : new IdempotencyKey(header);
  }

  public IdempotencyKey {
    if (!FORM.matcher(value).matches()) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          HEADER + " must be 1 to 128 visible ASCII characters, without blanks.");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
