package io.tidemark.pipeline.clients;

import io.tidemark.pipeline.support.Sender;
import java.util.List;

/** The first day with a sender for each door. */
class FirstDayIT extends FirstDay {

  @Override
  List<Sender> senders(String organization, String environment, String key) throws Exception {
    return List.of(
        new PythonSender(stack, key),
        new RemoteWriteSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), key),
        new KafkaSender(
            stack.coordinates().get("TIDEMARK_KAFKA_DOOR"), organization, environment, key));
  }
}
