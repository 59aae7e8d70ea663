package io.tidemark.platform.ingest.grpc;

import com.google.rpc.Status;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.KeyReused;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.otlp.OtlpProtobuf;
import io.tidemark.platform.ingest.otlp.RpcStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service opentelemetry.proto.collector.metrics.v1.MetricsService, method Export. */
final class OtlpGrpcMetrics {

  private static final Logger LOG = LoggerFactory.getLogger(OtlpGrpcMetrics.class);
  static final String PROTOCOL = "otlp_grpc";

  private final BatchReceiver gateway;
  private final OtlpProtobuf decoder = new OtlpProtobuf();

  OtlpGrpcMetrics(BatchReceiver gateway) {
    this.gateway = gateway;
  }

  ServerServiceDefinition definition() {
    MethodDescriptor<ReceivedBody, ExportMetricsServiceResponse> export =
        MetricsServiceGrpc.getExportMethod().toBuilder(
                ReceivedBody.marshaller((int) gateway.maxBody()),
                ProtoUtils.marshaller(ExportMetricsServiceResponse.getDefaultInstance()))
            .build();
    return ServerServiceDefinition.builder(MetricsServiceGrpc.SERVICE_NAME)
        .addMethod(export, ServerCalls.asyncUnaryCall(this::export))
        .build();
  }

  private void export(ReceivedBody body, StreamObserver<ExportMetricsServiceResponse> answers) {
    CallMeter meter = CallMeter.ofCurrentCall();
    gateway.read(GrpcAuthentication.CALLER.get(), meter.received());
    if (body.bytes() == null) {
      fail(answers, CallMeter.NO_ROOM);
      return;
    }
    meter.retain();
    GrpcReceipt receipt = GrpcReceipt.ofCurrentCall();
    try {
      var unused =
          gateway
              .receive(
                  GrpcAuthentication.CALLER.get(),
                  PROTOCOL,
                  GrpcReceipt.keyOfCurrentCall(),
                  body.bytes(),
                  decoder)
              .whenComplete(
                  (outcome, fault) -> {
                    meter.release();
                    if (fault == null) {
                      answer(answers, receipt, outcome);
                    } else {
                      failUnexpectedly(answers, fault);
                    }
                  });
    } catch (RuntimeException fault) {
      meter.release();
      failUnexpectedly(answers, fault);
    }
  }

  private static void answer(
      StreamObserver<ExportMetricsServiceResponse> answers,
      GrpcReceipt receipt,
      IngestOutcome outcome) {
    if (outcome instanceof Accepted accepted) {
      receipt.set(accepted.receipt());
      answers.onNext(RpcStatus.response(accepted));
      answers.onCompleted();
    } else if (outcome instanceof Malformed malformed) {
      fail(answers, RpcStatus.of(malformed));
    } else if (outcome instanceof KeyReused reused) {
      fail(answers, RpcStatus.of(reused));
    } else if (outcome instanceof TooLarge tooLarge) {
      fail(answers, RpcStatus.of(tooLarge));
    } else if (outcome instanceof NotStored notStored) {
      fail(answers, RpcStatus.of(notStored));
    } else if (outcome instanceof OverQuota over) {
      fail(answers, RpcStatus.of(over));
    } else {
      throw new IllegalStateException("Unknown outcome " + outcome);
    }
  }

  private static void failUnexpectedly(
      StreamObserver<ExportMetricsServiceResponse> answers, Throwable fault) {
    LOG.error("A call of MetricsService/Export failed", fault);
    fail(
        answers,
        RpcStatus.of(com.google.rpc.Code.INTERNAL, "A fault in Tidemark; it is in the log."));
  }

  private static void fail(StreamObserver<ExportMetricsServiceResponse> answers, Status status) {
    answers.onError(StatusProto.toStatusRuntimeException(status));
  }
}
