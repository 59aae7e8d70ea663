package io.tidemark.platform.ingest.kafka.listener;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** What the door says of itself: one broker, and for each key one topic. */
final class KafkaResponses {

  static final String MECHANISM = "PLAIN";

  /** So that one request of a producer can carry several batches; what is in them has no order. */
  static final int PARTITIONS = 4;

  private static final int NODE = 1;

  /** First and last version of each request that is served. */
  private record Versions(int first, int last) {}

  private static final Map<ApiKeys, Versions> SERVED = new EnumMap<>(ApiKeys.class);
  private static final AtomicLong PRODUCER_IDS = new AtomicLong();

  static {
    SERVED.put(ApiKeys.API_VERSIONS, new Versions(0, 3));
    SERVED.put(ApiKeys.SASL_HANDSHAKE, new Versions(1, 1));
    SERVED.put(ApiKeys.SASL_AUTHENTICATE, new Versions(0, 2));
    SERVED.put(ApiKeys.METADATA, new Versions(0, 9));
    SERVED.put(ApiKeys.INIT_PRODUCER_ID, new Versions(0, 4));
    SERVED.put(ApiKeys.PRODUCE, new Versions(3, 9));
    // Announced though nobody reads here: librdkafka takes a broker without them for one that knows
    // message format 0 only.
    SERVED.put(ApiKeys.FETCH, new Versions(4, 11));
    SERVED.put(ApiKeys.FIND_COORDINATOR, new Versions(0, 3));
  }

  private KafkaResponses() {}

  static boolean isServed(ApiKeys api, short version) {
    Versions served = SERVED.get(api);
    return served != null && version >= served.first() && version <= served.last();
  }

  static ApiVersionsResponseData versions(Errors error) {
    ApiVersionCollection all = new ApiVersionCollection();
    SERVED.forEach(
        (api, served) ->
            all.add(
                new ApiVersion()
                    .setApiKey(api.id)
                    // librdkafka takes a broker without version 0 for one without compression.
                    .setMinVersion((short) (api == ApiKeys.PRODUCE ? 0 : served.first()))
                    .setMaxVersion((short) served.last())));
    return new ApiVersionsResponseData().setErrorCode(error.code()).setApiKeys(all);
  }

  static SaslHandshakeResponseData handshake(boolean known) {
    return new SaslHandshakeResponseData()
        .setErrorCode((known ? Errors.NONE : Errors.UNSUPPORTED_SASL_MECHANISM).code())
        .setMechanisms(List.of(MECHANISM));
  }

  /**
   * The answer to credentials.
   *
   * @param refusal null when they are good
   */
  static SaslAuthenticateResponseData authenticated(@Nullable String refusal) {
    return new SaslAuthenticateResponseData()
        .setErrorCode((refusal == null ? Errors.NONE : Errors.SASL_AUTHENTICATION_FAILED).code())
        .setErrorMessage(refusal)
        .setAuthBytes(new byte[0]);
  }

  /** Every topic but the caller's own is refused, whether it exists or not. */
  static MetadataResponseData metadata(
      MetadataRequestData asked, String own, String host, int port) {
    MetadataResponseData answer =
        new MetadataResponseData().setClusterId("tidemark").setControllerId(NODE);
    answer.brokers().add(new MetadataResponseBroker().setNodeId(NODE).setHost(host).setPort(port));
    if (asked.topics() == null || asked.topics().isEmpty()) {
      answer.topics().add(topic(own));
    } else {
      for (MetadataRequestTopic topic : asked.topics()) {
        answer
            .topics()
            .add(
                topic.name().equals(own)
                    ? topic(own)
                    : new MetadataResponseTopic()
                        .setName(topic.name())
                        .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code()));
      }
    }
    return answer;
  }

  /** Before version 7 an answer without topics has no error of its own. */
  static FetchResponseData nothingToRead() {
    return new FetchResponseData().setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code());
  }

  static FindCoordinatorResponseData noCoordinator(short version) {
    FindCoordinatorResponseData answer =
        new FindCoordinatorResponseData()
            .setErrorCode(Errors.GROUP_AUTHORIZATION_FAILED.code())
            .setNodeId(-1)
            .setHost("")
            .setPort(-1);
    return version == 0
        ? answer
        : answer.setErrorMessage("Here is nothing to read, only to write.");
  }

  private static MetadataResponseTopic topic(String name) {
    List<MetadataResponsePartition> partitions = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      partitions.add(
          new MetadataResponsePartition()
              .setPartitionIndex(partition)
              .setLeaderId(NODE)
              .setReplicaNodes(List.of(NODE))
              .setIsrNodes(List.of(NODE)));
    }
    return new MetadataResponseTopic().setName(name).setPartitions(partitions);
  }

  /**
   * Producers that want to be idempotent need an id. It is not looked at: resends are known by what
   * is in them.
   */
  static InitProducerIdResponseData producerId(boolean withoutTransactions) {
    return withoutTransactions
        ? new InitProducerIdResponseData()
            .setProducerId(PRODUCER_IDS.incrementAndGet())
            .setProducerEpoch((short) 0)
        : new InitProducerIdResponseData()
            .setErrorCode(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.code());
  }
}
