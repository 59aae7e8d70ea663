package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How Druid takes rows from Kafka and serves what it has. */
final class DruidState {
  private final Addresses addresses;
  private final EngineClient http;

  DruidState(Addresses addresses) {
    this.addresses = addresses;
    this.http = addresses.access().http();
  }

  /** Of each supervisor. */
  List<Datasource> datasources() throws IOException, InterruptedException {
    JsonNode unavailable = read("/druid/coordinator/v1/loadstatus?simple");
    List<Datasource> all = new ArrayList<>();
    for (JsonNode name : read("/druid/indexer/v1/supervisor")) {
      String path = "/druid/indexer/v1/supervisor/" + name.asText();
      JsonNode status = read(path + "/status").path("payload");
      long unparseable = 0;
      for (JsonNode group : read(path + "/stats")) {
        for (JsonNode task : group) {
          unparseable += task.at("/totals/buildSegments/unparseable").asLong();
        }
      }
      all.add(
          new Datasource(
              name.asText(),
              status.path("detailedState").asText("unknown"),
              status.path("healthy").asBoolean(),
              status.path("aggregateLag").asLong(-1),
              unparseable,
              status.path("publishingTasks").size(),
              unavailable.path(name.asText()).asLong()));
    }
    return all;
  }

  private JsonNode read(String path) throws IOException, InterruptedException {
    EngineClient.Answer answer = http.get(addresses.druidCoordinator() + path);
    if (!answer.ok()) {
      throw new IOException("Druid answered " + answer.status() + " at " + path);
    }
    return answer.body();
  }
}
