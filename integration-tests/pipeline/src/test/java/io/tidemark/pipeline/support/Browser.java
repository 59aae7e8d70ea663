package io.tidemark.pipeline.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A person's browser without scripts, on one site: keeps its cookies, follows redirects, fills in
 * forms; and calls the API as a script of the site would. Cookies marked Secure are taken on
 * localhost, as browsers do.
 */
public final class Browser {
  private static final Pattern FIELD = Pattern.compile("<input[^>]*>");
  private static final Pattern ACTION = Pattern.compile("<form[^>]*action=\"([^\"]+)\"");
  private static final int MAX_REDIRECTS = 20;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI home;
  private final Map<String, String> cookies = new LinkedHashMap<>();

  /** A browser that was never there. */
  public Browser(String site) {
    this.home = URI.create(site + "/");
  }

  /** What is on the screen. */
  public record Page(URI address, int status, String text, String referrerPolicy) {}

  public Page open(String address) throws IOException, InterruptedException {
    return follow("GET", home.resolve(address), null, null);
  }

  /** Sends the form of a page, with its hidden fields and these, in pairs. */
  public Page send(Page page, String... fields) throws IOException, InterruptedException {
    Matcher action = ACTION.matcher(page.text());
    if (!action.find()) {
      throw new AssertionError("No form on " + page);
    }
    Map<String, String> all = new LinkedHashMap<>();
    Matcher field = FIELD.matcher(page.text());
    while (field.find()) {
      String name = attribute(field.group(), "name");
      String value = attribute(field.group(), "value");
      if (name != null && value != null) {
        all.put(name, value);
      }
    }
    for (int i = 0; i < fields.length; i += 2) {
      all.put(fields[i], fields[i + 1]);
    }
    String body =
        all.entrySet().stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    // A page that wants no referrer keeps its origin to itself too.
    String origin =
        page.referrerPolicy().equals("no-referrer")
            ? "null"
            : home.getScheme() + "://" + home.getAuthority();
    return follow("POST", page.address().resolve(action.group(1)), body, origin);
  }

  private Page follow(String method, URI start, String form, String origin)
      throws IOException, InterruptedException {
    URI address = start;
    HttpRequest.Builder first = HttpRequest.newBuilder(address);
    if (form != null) {
      first.setHeader("Content-Type", "application/x-www-form-urlencoded");
      first.setHeader("Origin", origin);
      first.setHeader("Sec-Fetch-Site", "same-origin");
    }
    HttpResponse<String> answer = exchange(first, method, form);
    for (int i = 0; answer.statusCode() / 100 == 3; i++) {
      if (i == MAX_REDIRECTS) {
        throw new AssertionError("Round and round from " + start + " to " + address);
      }
      address = address.resolve(answer.headers().firstValue("Location").orElseThrow());
      answer = exchange(HttpRequest.newBuilder(address), "GET", null);
    }
    return new Page(
        address,
        answer.statusCode(),
        answer.body(),
        answer.headers().firstValue("Referrer-Policy").orElse(""));
  }

  private HttpResponse<String> exchange(HttpRequest.Builder request, String method, String body)
      throws IOException, InterruptedException {
    if (!cookies.isEmpty()) {
      request.setHeader(
          "Cookie",
          cookies.entrySet().stream()
              .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
              .collect(Collectors.joining("; ")));
    }
    HttpResponse<String> answer =
        http.send(
            request
                .timeout(Duration.ofSeconds(30))
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    for (String cookie : answer.headers().allValues("Set-Cookie")) {
      String[] pair = cookie.split(";", 2)[0].split("=", 2);
      if (cookie.contains("Max-Age=0")) {
        cookies.remove(pair[0]);
      } else {
        cookies.put(pair[0], pair[1]);
      }
    }
    return answer;
  }

  /** Names and values of the cookies that the browser has. */
  public Map<String, String> cookies() {
    return Map.copyOf(cookies);
  }

  public JsonHttp.Answer get(String path) throws IOException, InterruptedException {
    return json(exchange(HttpRequest.newBuilder(home.resolve(path)), "GET", null));
  }

  /** A change, with the token that changes need; the body may be null. */
  public JsonHttp.Answer change(String method, String path, JsonNode body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(home.resolve(path));
    request.setHeader("Content-Type", "application/json");
    request.setHeader("X-CSRF-TOKEN", get("/api/v1/session").body().path("csrf_token").asText());
    return json(exchange(request, method, body == null ? null : body.toString()));
  }

  private static JsonHttp.Answer json(HttpResponse<String> answer) throws IOException {
    boolean isJson = answer.headers().firstValue("Content-Type").orElse("").endsWith("json");
    return new JsonHttp.Answer(
        answer.statusCode(),
        isJson ? JsonHttp.JSON.readTree(answer.body()) : JsonHttp.JSON.missingNode(),
        answer.body());
  }

  private static String attribute(String tag, String name) {
    Matcher value = Pattern.compile(" " + name + "=\"([^\"]*)\"").matcher(tag);
    return value.find() ? value.group(1).replace("&amp;", "&") : null;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
