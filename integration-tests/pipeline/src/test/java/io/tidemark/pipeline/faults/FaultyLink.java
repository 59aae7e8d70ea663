package io.tidemark.pipeline.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;

/**
 * A toxic of Toxiproxy on the way back over one link: latency, silence or resets of connections.
 *
 * @param type Toxiproxy's name of it
 * @param attributes as Toxiproxy takes them
 */
record FaultyLink(LinkProxy proxy, String link, String type, ObjectNode attributes)
    implements Fault {

  static FaultyLink slow(LinkProxy proxy, String link, int millis) {
    return new FaultyLink(
        proxy,
        link,
        "latency",
        JsonHttp.JSON.createObjectNode().put("latency", millis).put("jitter", millis / 2));
  }

  /** Data are taken and dropped; when that ends, the connections are closed. */
  static FaultyLink silent(LinkProxy proxy, String link) {
    return new FaultyLink(
        proxy, link, "timeout", JsonHttp.JSON.createObjectNode().put("timeout", 0));
  }

  /** Each connection is reset so long after the first answer on it. */
  static FaultyLink reset(LinkProxy proxy, String link, int millis) {
    return new FaultyLink(
        proxy, link, "reset_peer", JsonHttp.JSON.createObjectNode().put("timeout", millis));
  }

  @Override
  public void strike() throws Exception {
    proxy.add(link, type, attributes);
  }

  @Override
  public void heal() throws Exception {
    proxy.remove(link, type);
  }
}
