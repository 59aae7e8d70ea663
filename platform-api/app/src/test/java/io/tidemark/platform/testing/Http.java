package io.tidemark.platform.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** HTTP exchanges in few words. */
public final class Http {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}

  /** Posts a body with its length; headers come in pairs of name and value. */
  public static HttpResponse<byte[]> post(URI address, byte[] body, String... headers) {
    return send(
        HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.ofByteArray(body)),
        headers);
  }

  /** Posts a text. */
  public static HttpResponse<byte[]> post(URI address, String body, String... headers) {
    return post(address, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** Posts a body in chunks, without its length. */
  public static HttpResponse<byte[]> postChunked(URI address, byte[] body, String... headers) {
    return send(
        HttpRequest.newBuilder(address)
            .POST(
                HttpRequest.BodyPublishers.ofInputStream(
                    () -> new java.io.ByteArrayInputStream(body))),
        headers);
  }

  /** Any method; a null body sends none. */
  public static HttpResponse<byte[]> send(
      String method, URI address, String body, String... headers) {
    return send(
        HttpRequest.newBuilder(address)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body)),
        headers);
  }

  public static HttpResponse<byte[]> get(URI address, String... headers) {
    return send(HttpRequest.newBuilder(address).GET(), headers);
  }

  public static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request, String... headers) {
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
