package io.tidemark.platform.ingest.otlp;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.KeyReused;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Duration;
import java.util.Optional;

/** Outcomes in the words of OTLP, the same for HTTP and gRPC. */
public final class RpcStatus {

  private RpcStatus() {}

  /** The answer to an accepted batch; partial_success is set only when points were refused. */
  public static ExportMetricsServiceResponse response(Accepted accepted) {
    ExportMetricsServiceResponse.Builder response = ExportMetricsServiceResponse.newBuilder();
    if (!accepted.rejections().isEmpty()) {
      response.setPartialSuccess(
          ExportMetricsPartialSuccess.newBuilder()
              .setRejectedDataPoints(accepted.rejections().total())
              .setErrorMessage(accepted.rejections().message()));
    }
    return response.build();
  }

  public static Status of(Malformed malformed) {
    return Status.newBuilder()
        .setCode(Code.INVALID_ARGUMENT_VALUE)
        .setMessage(malformed.detail())
        .addDetails(
            Any.pack(
                BadRequest.newBuilder()
                    .addFieldViolations(
                        BadRequest.FieldViolation.newBuilder()
                            .setField("body")
                            .setDescription(malformed.detail()))
                    .build()))
        .build();
  }

  public static Status of(KeyReused reused) {
    return of(Code.ALREADY_EXISTS, reused.detail());
  }

  /** Without RetryInfo: the same body will never be taken. */
  public static Status of(TooLarge tooLarge) {
    return of(
        Code.RESOURCE_EXHAUSTED,
        "The body is larger than "
            + tooLarge.limitInBytes()
            + " bytes after decompression. Send smaller batches.");
  }

  public static Status of(NotStored notStored) {
    return passing(notStored.detail(), notStored.retryAfter());
  }

  /** With RetryInfo, without which senders would give the batch up. */
  public static Status of(OverQuota over) {
    return retryable(Code.RESOURCE_EXHAUSTED, over.detail(), over.retryAfter());
  }

  /** A problem found before the batch was looked at. */
  public static Status of(ProblemException problem) {
    String message = String.join(" ", problem.details());
    Optional<Duration> retryAfter = problem.retryAfter();
    if (retryAfter.isPresent()) {
      return passing(message, retryAfter.get());
    }
    if (problem.code() == ErrorCode.UNAUTHENTICATED) {
      return of(Code.UNAUTHENTICATED, message);
    }
    if (problem.code() == ErrorCode.FORBIDDEN) {
      return of(Code.PERMISSION_DENIED, message);
    }
    return of(problem.code().status() >= 500 ? Code.INTERNAL : Code.INVALID_ARGUMENT, message);
  }

  public static Status of(Code code, String message) {
    return Status.newBuilder().setCode(code.getNumber()).setMessage(message).build();
  }

  /** A passing problem: the sender should come back after the given time. */
  public static Status passing(String message, Duration retryAfter) {
    return retryable(Code.UNAVAILABLE, message, retryAfter);
  }

  private static Status retryable(Code code, String message, Duration retryAfter) {
    return Status.newBuilder()
        .setCode(code.getNumber())
        .setMessage(message)
        .addDetails(
            Any.pack(
                RetryInfo.newBuilder()
                    .setRetryDelay(
                        com.google.protobuf.Duration.newBuilder()
                            .setSeconds(retryAfter.toSeconds()))
                    .build()))
        .build();
  }
}
