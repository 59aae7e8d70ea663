package io.tidemark.platform.ingest.web;

import io.tidemark.platform.ingest.prometheus.RemoteWriteVersion;
import java.util.Locale;
import java.util.Optional;

/** What the headers of remote write say about the body. */
final class RemoteWriteContent {

  static final String TYPES =
      "Send Content-Type: application/x-protobuf;proto=io.prometheus.write.v2.Request, or"
          + " application/x-protobuf for prometheus.WriteRequest.";
  static final String ENCODINGS = "Send Content-Encoding: snappy, in the block format.";
  static final String DAMAGED =
      "The body is not Snappy in the block format, or damaged. The framed format is another one.";

  private static final String MEDIA_TYPE = "application/x-protobuf";
  private static final String MESSAGE = "proto";

  private RemoteWriteContent() {}

  /** The message that a Content-Type names; empty for any that is not of remote write. */
  static Optional<RemoteWriteVersion> version(String contentType) {
    if (contentType == null) {
      return Optional.empty();
    }
    String[] parts = contentType.split(";", -1);
    if (!parts[0].strip().toLowerCase(Locale.ROOT).equals(MEDIA_TYPE)) {
      return Optional.empty();
    }
    for (int i = 1; i < parts.length; i++) {
      String[] parameter = parts[i].split("=", 2);
      if (parameter.length == 2 && parameter[0].strip().toLowerCase(Locale.ROOT).equals(MESSAGE)) {
        return named(unquoted(parameter[1].strip()));
      }
    }
    return Optional.of(RemoteWriteVersion.V1);
  }

  private static Optional<RemoteWriteVersion> named(String message) {
    return switch (message) {
      case "prometheus.WriteRequest" -> Optional.of(RemoteWriteVersion.V1);
      case "io.prometheus.write.v2.Request" -> Optional.of(RemoteWriteVersion.V2);
      default -> Optional.empty();
    };
  }

  private static String unquoted(String text) {
    return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1)
        : text;
  }

  /** Whether the body is compressed as it must be. Old senders leave the header out. */
  static boolean isSnappy(String contentEncoding) {
    return contentEncoding == null
        || contentEncoding.isBlank()
        || contentEncoding.strip().toLowerCase(Locale.ROOT).equals("snappy");
  }
}
