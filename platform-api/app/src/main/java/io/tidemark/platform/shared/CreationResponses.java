package io.tidemark.platform.shared;

import io.tidemark.platform.shared.IdempotentCreation.Created;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.ResponseEntity.BodyBuilder;

/** Begins answers of the control API to creations that may be repeated. */
public final class CreationResponses {

  private static final String ROOT = "/api/v1/organizations/";

  private CreationResponses() {}

  /**
   * The object is there.
   *
   * @param path of the object: the organisation, then names and ids in turn
   */
  public static BodyBuilder created(Created<?> made, String... path) {
    return replayed(ResponseEntity.status(HttpStatus.CREATED), made).location(place(path));
  }

  /** The object is there, and what it stands for is done later. */
  public static BodyBuilder accepted(Created<?> made, String... path) {
    return replayed(ResponseEntity.accepted(), made).location(place(path));
  }

  /** Says whether an earlier request did it. */
  public static BodyBuilder replayed(BodyBuilder response, Created<?> made) {
    return response.header("Idempotency-Replayed", Boolean.toString(made.replayed()));
  }

  private static URI place(String... path) {
    return URI.create(ROOT + String.join("/", path));
  }
}
