package io.tidemark.pipeline.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;

/** The Toxiproxy between the components of a stack whose links are proxied. */
final class LinkProxy {
  private final JsonHttp http = new JsonHttp();
  private final String url;

  LinkProxy(String address) {
    this.url = "http://" + address + "/proxies/";
  }

  void add(String link, String type, ObjectNode attributes)
      throws IOException, InterruptedException {
    ObjectNode toxic =
        JsonHttp.JSON
            .createObjectNode()
            .put("name", type)
            .put("type", type)
            .put("stream", "downstream");
    toxic.set("attributes", attributes);
    require(http.post(url + link + "/toxics", toxic));
  }

  void remove(String link, String type) throws IOException, InterruptedException {
    require(http.delete(url + link + "/toxics/" + type));
  }

  /** Ends the connections of a link and leads new ones to an address. Returns the one before. */
  String lead(String link, String address) throws IOException, InterruptedException {
    String before = require(http.get(url + link)).body().path("upstream").asText();
    require(http.post(url + link, JsonHttp.JSON.createObjectNode().put("upstream", address)));
    return before;
  }

  private static JsonHttp.Answer require(JsonHttp.Answer answer) throws IOException {
    if (!answer.ok()) {
      throw new IOException("Toxiproxy answered " + answer.status() + " " + answer.text());
    }
    return answer;
  }
}
