package io.tidemark.pipeline.path;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A native query whose answer nobody reads: its turn in a lane of Druid is taken until it is
 * closed, however fast the machine is.
 */
final class HeldQuery implements AutoCloseable {
  /** More than sockets and buffers on the way hold. */
  private static final int ROWS = 3_000;

  private static final int BYTES_OF_ROW = 10_000;
  private static final int RECEIVE_BUFFER = 4_096;

  private final Socket socket = new Socket();

  HeldQuery(URI broker, String lane) throws IOException {
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.connect(new InetSocketAddress(broker.getHost(), broker.getPort()), 5_000);
    byte[] body = query(lane, ROWS, BYTES_OF_ROW).toString().getBytes(StandardCharsets.UTF_8);
    OutputStream out = socket.getOutputStream();
    out.write(
        ("POST /druid/v2/ HTTP/1.1\r\nHost: "
                + broker.getAuthority()
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    out.write(body);
    out.flush();
    // The answer has begun, so the query is in its lane.
    socket.setSoTimeout(30_000);
    String begin = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    if (!begin.equals("HTTP/1.1 200")) {
      socket.close();
      throw new IOException("Not held: " + begin);
    }
  }

  /** A query that needs no stored rows: rows of one text, repeated as often as said. */
  static ObjectNode query(String lane, int rows, int repeated) {
    ObjectNode query = JsonHttp.JSON.createObjectNode().put("queryType", "scan");
    ObjectNode source = query.putObject("dataSource").put("type", "inline");
    source.putArray("columnNames").add("s");
    source.putArray("columnTypes").add("STRING");
    ArrayNode data = source.putArray("rows");
    for (int i = 0; i < rows; i++) {
      data.addArray().add("x");
    }
    query
        .putArray("virtualColumns")
        .addObject()
        .put("type", "expression")
        .put("name", "v")
        .put("expression", "repeat(\"s\", " + repeated + ")")
        .put("outputType", "STRING");
    query.putArray("columns").add("v");
    query.putArray("intervals").add("1000/3000");
    query.put("resultFormat", "compactedList").put("batchSize", 10);
    query.putObject("context").put("lane", lane).put("timeout", 60_000);
    return query;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
