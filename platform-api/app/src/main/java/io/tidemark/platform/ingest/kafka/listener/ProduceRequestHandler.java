package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.KeyReused;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.kafka.listener.ProduceRecordReader.Produced;
import io.tidemark.platform.ingest.kafka.listener.ProduceRecordReader.UnreadableException;
import io.tidemark.platform.ingest.otlp.OtlpProtobuf;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.jspecify.annotations.Nullable;

/**
 * Every record is a batch of the gateway, an OTLP request; the answer says of each partition
 * whether all of its records are stored. Records beside one that is refused may be stored: sent
 * again, they count once.
 */
final class ProduceRequestHandler {

  static final String PROTOCOL = "kafka";

  /** A tenant over its quota is made to wait so long before it is asked to send again. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final BatchReceiver gateway;
  private final OtlpProtobuf decoder = new OtlpProtobuf();

  ProduceRequestHandler(BatchReceiver gateway) {
    this.gateway = gateway;
  }

  /** What is told of one partition. */
  private record Verdict(Errors error, int record, @Nullable String message) {

    static final Verdict GOOD = new Verdict(Errors.NONE, -1, null);

    static Verdict whole(Errors error, @Nullable String message) {
      return new Verdict(error, -1, message);
    }
  }

  /** Stores what was sent to the caller's own topic; nothing else may be written to. */
  ProduceResponseData receive(
      Caller caller, String own, ProduceRequestData sent, InFlightByteLimiter.Reservation holding)
      throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    ProduceRecordReader reader =
        new ProduceRecordReader(gateway.maxBody(), holding, IdempotencyKey.HEADER);
    ProduceResponseData answer = new ProduceResponseData();
    for (TopicProduceData topic : sent.topicData()) {
      TopicProduceResponse told = new TopicProduceResponse().setName(topic.name());
      List<PartitionProduceResponse> partitions = new ArrayList<>();
      for (PartitionProduceData partition : topic.partitionData()) {
        Verdict verdict;
        if (!topic.name().equals(own) || sent.transactionalId() != null) {
          verdict =
              Verdict.whole(
                  Errors.TOPIC_AUTHORIZATION_FAILED, "This key may write to " + own + " only.");
        } else if (partition.index() < 0 || partition.index() >= KafkaResponses.PARTITIONS) {
          verdict = Verdict.whole(Errors.UNKNOWN_TOPIC_OR_PARTITION, null);
        } else if (partition.records() instanceof MemoryRecords records) {
          verdict = receive(caller, reader, records, deadline);
        } else {
          verdict = Verdict.whole(Errors.INVALID_RECORD, "There are no records.");
        }
        partitions.add(told(partition.index(), verdict));
      }
      answer.responses().add(told.setPartitionResponses(partitions));
    }
    return answer;
  }

  /** The answer to a caller that is not one any more, or cannot be known at the moment. */
  static ProduceResponseData refused(ProduceRequestData sent, ProblemException problem) {
    Errors error =
        problem.code() == ErrorCode.CONTROL_PLANE_UNAVAILABLE
            ? Errors.REQUEST_TIMED_OUT
            : Errors.TOPIC_AUTHORIZATION_FAILED;
    return everywhere(sent, Verdict.whole(error, String.join(" ", problem.details())));
  }

  /** The answer to a request whose records are not read. */
  static ProduceResponseData tooLarge(ProduceRequestData sent, long limit) {
    return everywhere(
        sent,
        Verdict.whole(Errors.MESSAGE_TOO_LARGE, "A request has at most " + limit + " bytes."));
  }

  private static ProduceResponseData everywhere(ProduceRequestData sent, Verdict verdict) {
    ProduceResponseData answer = new ProduceResponseData();
    for (TopicProduceData topic : sent.topicData()) {
      answer
          .responses()
          .add(
              new TopicProduceResponse()
                  .setName(topic.name())
                  .setPartitionResponses(
                      topic.partitionData().stream()
                          .map(partition -> told(partition.index(), verdict))
                          .toList()));
    }
    return answer;
  }

  private static PartitionProduceResponse told(int partition, Verdict verdict) {
    PartitionProduceResponse told =
        new PartitionProduceResponse()
            .setIndex(partition)
            .setErrorCode(verdict.error().code())
            .setBaseOffset(-1)
            .setErrorMessage(verdict.message());
    if (verdict.record() >= 0) {
      told.setRecordErrors(
          List.of(
              new BatchIndexAndErrorMessage()
                  .setBatchIndex(verdict.record())
                  .setBatchIndexErrorMessage(verdict.message())));
    }
    return told;
  }

  private Verdict receive(
      Caller caller, ProduceRecordReader reader, MemoryRecords records, long deadline)
      throws IOException {
    List<Produced> produced;
    try {
      produced = reader.of(records);
    } catch (UnreadableException unreadable) {
      return Verdict.whole(error(unreadable.fault()), unreadable.getMessage());
    }
    List<CompletableFuture<IngestOutcome>> outcomes = new ArrayList<>();
    Verdict verdict = Verdict.GOOD;
    for (Produced record : produced) {
      Optional<OverQuota> over = admitted(caller, deadline);
      if (over.isPresent()) {
        verdict = Verdict.whole(Errors.REQUEST_TIMED_OUT, over.get().detail());
        break;
      }
      outcomes.add(receive(caller, record));
    }
    for (int i = 0; i < outcomes.size(); i++) {
      Verdict ofRecord = verdict(i, outcomes.get(i).join());
      if (verdict.error() == Errors.NONE) {
        verdict = ofRecord;
      }
    }
    return verdict;
  }

  /** Waits while the tenant is over a quota: who sends by Kafka expects to be slowed down. */
  private Optional<OverQuota> admitted(Caller caller, long deadline) throws IOException {
    while (true) {
      Optional<OverQuota> over = gateway.admit(caller, PROTOCOL);
      long left = deadline - System.nanoTime();
      if (over.isEmpty() || left <= 0) {
        return over;
      }
      InterruptibleDelay.millis(Math.min(200, left / 1_000_000 + 1));
    }
  }

  /** Counts a request that carries no records; a tenant over a quota waits for its answer. */
  void awaitQuota(Caller caller) throws IOException {
    var unused = admitted(caller, System.nanoTime() + PATIENCE.toNanos());
  }

  private CompletableFuture<IngestOutcome> receive(Caller caller, Produced record) {
    if (record.value() == null) {
      return CompletableFuture.completedFuture(new Malformed("The record has no value."));
    }
    try {
      return gateway
          .receive(
              caller, PROTOCOL, IdempotencyKey.of(record.idempotencyKey()), record.value(), decoder)
          .toCompletableFuture();
    } catch (ProblemException refused) {
      return CompletableFuture.completedFuture(new Malformed(String.join(" ", refused.details())));
    }
  }

  private static Errors error(ProduceRecordReader.Fault fault) {
    return switch (fault) {
      case DAMAGED -> Errors.INVALID_RECORD;
      case TOO_LARGE -> Errors.MESSAGE_TOO_LARGE;
      case NO_ROOM -> Errors.REQUEST_TIMED_OUT;
    };
  }

  private static Verdict verdict(int record, IngestOutcome outcome) {
    if (outcome instanceof Accepted) {
      return Verdict.GOOD;
    } else if (outcome instanceof Malformed malformed) {
      return new Verdict(Errors.INVALID_RECORD, record, malformed.detail());
    } else if (outcome instanceof KeyReused reused) {
      return new Verdict(Errors.INVALID_RECORD, record, reused.detail());
    } else if (outcome instanceof TooLarge tooLarge) {
      return Verdict.whole(
          Errors.MESSAGE_TOO_LARGE, "A record has at most " + tooLarge.limitInBytes() + " bytes.");
    } else if (outcome instanceof NotStored notStored) {
      return Verdict.whole(Errors.REQUEST_TIMED_OUT, notStored.detail());
    } else if (outcome instanceof OverQuota over) {
      return Verdict.whole(Errors.REQUEST_TIMED_OUT, over.detail());
    }
    throw new IllegalStateException("Unknown outcome " + outcome);
  }
}
