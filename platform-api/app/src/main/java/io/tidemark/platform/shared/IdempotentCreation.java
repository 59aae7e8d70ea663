package io.tidemark.platform.shared;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes an object once, however often the same request comes. */
public interface IdempotentCreation {

  /**
   * An object, and whether it was made by an earlier request.
   *
   * @param replayed true when nothing was made now
   */
  record Created<T>(T object, boolean replayed) {}

  /** How an object is made, named and found again. */
  record Creation<T>(Supplier<T> make, Function<T, String> id, Function<String, T> find) {}

  /**
   * Makes the object, or finds the one that the same key made within 24 hours. Runs in a
   * transaction of the organisation; of two at a time one waits for the other.
   *
   * @param operation what is created; keys of different operations do not meet
   * @param key the Idempotency-Key; null makes an object each time
   * @param request the request in any form that is equal for equal requests
   * @throws ProblemException {@code idempotency_key_reused} when the key came with another request,
   *     {@code invalid_request} when it is not a key, and what making or finding throws
   */
  <T> Created<T> once(
      TenantId organization,
      String operation,
      @Nullable String key,
      String request,
      Creation<T> creation);
}
