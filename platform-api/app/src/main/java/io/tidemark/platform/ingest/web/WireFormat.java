package io.tidemark.platform.ingest.web;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
import io.tidemark.platform.ingest.application.BatchDecoder;
import io.tidemark.platform.ingest.otlp.OtlpJson;
import io.tidemark.platform.ingest.otlp.OtlpProtobuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** The two forms of OTLP over HTTP. Requests and answers of one exchange have the same. */
enum WireFormat {
  PROTOBUF("application/x-protobuf"),
  JSON("application/json");

  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer()
          .omittingInsignificantWhitespace()
          .usingTypeRegistry(
              TypeRegistry.newBuilder()
                  .add(BadRequest.getDescriptor())
                  .add(RetryInfo.getDescriptor())
                  .build());

  private final String mediaType;

  WireFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** The format that a Content-Type names, parameters aside; empty for any other. */
  static Optional<WireFormat> of(String contentType) {
    if (contentType == null) {
      return Optional.empty();
    }
    String name = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    for (WireFormat format : values()) {
      if (format.mediaType.equals(name)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  String mediaType() {
    return mediaType;
  }

  BatchDecoder decoder() {
    return switch (this) {
      case PROTOBUF -> new OtlpProtobuf();
      case JSON -> new OtlpJson();
    };
  }

  /** The message as bytes of this format. */
  byte[] write(Message message) {
    if (this == PROTOBUF) {
      return message.toByteArray();
    }
    try {
      return PRINTER.print(message).getBytes(StandardCharsets.UTF_8);
    } catch (InvalidProtocolBufferException impossible) {
      throw new IllegalStateException("A detail of a status has an unknown type", impossible);
    }
  }
}
