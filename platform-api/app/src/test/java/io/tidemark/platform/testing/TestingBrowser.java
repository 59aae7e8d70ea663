package io.tidemark.platform.testing;

import io.tidemark.platform.testing.ControlApi.Answer;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Does what a browser does without scripts: keeps cookies by host, follows redirects, fills in
 * forms. Takes cookies marked Secure on localhost, as browsers do.
 */
public final class TestingBrowser {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern FIELD = Pattern.compile("<input[^>]*>");
  private static final Pattern ACTION = Pattern.compile("<form[^>]*action=\"([^\"]+)\"");
  private static final int MAX_REDIRECTS = 20;

  /** What is on the screen, and every answer on the way there. */
  public record Page(URI address, HttpResponse<byte[]> answer, List<HttpResponse<byte[]>> way) {

    public int status() {
      return answer.statusCode();
    }

    public String text() {
      return Http.text(answer);
    }
  }

  private final URI home;
  private final Map<String, Map<String, String>> cookies = new LinkedHashMap<>();

  public TestingBrowser(URI home) {
    this.home = home;
  }

  /** A browser that was never here. */
  public static TestingBrowser of(RunningPlatform platform) {
    return new TestingBrowser(platform.page("/"));
  }

  /** The cookie of that name for the site itself; null for none. */
  public String cookie(String name) {
    return cookies.getOrDefault(site(home), Map.of()).get(name);
  }

  public void setCookie(String name, String value) {
    cookies.computeIfAbsent(site(home), none -> new LinkedHashMap<>()).put(name, value);
  }

  /** Opens an address, relative ones on the site itself, and goes where it leads. */
  public Page open(String address) {
    return follow("GET", home.resolve(address), null, MAX_REDIRECTS);
  }

  /** Opens an address and stays there, whatever the answer. */
  public Page look(String address) {
    return follow("GET", home.resolve(address), null, 0);
  }

  /** Sends the form of a page, with its hidden fields and these; then goes where it leads. */
  public Page send(Page page, String... fields) {
    return send(page, MAX_REDIRECTS, fields);
  }

  /** The same, but goes nowhere afterwards. */
  public Page sendAndStay(Page page, String... fields) {
    return send(page, 0, fields);
  }

  private Page send(Page page, int redirects, String... fields) {
    Matcher action = ACTION.matcher(page.text());
    if (!action.find()) {
      throw new AssertionError("No form on " + page.address() + ":\n" + page.text());
    }
    Map<String, String> all = new LinkedHashMap<>();
    Matcher field = FIELD.matcher(page.text());
    while (field.find()) {
      String name = attribute(field.group(), "name");
      if (name != null && attribute(field.group(), "value") != null) {
        all.put(name, attribute(field.group(), "value"));
      }
    }
    for (int i = 0; i < fields.length; i += 2) {
      all.put(fields[i], fields[i + 1]);
    }
    String body =
        all.entrySet().stream()
            .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
            .collect(Collectors.joining("&"));
    URI target = page.address().resolve(action.group(1).replace("&amp;", "&"));
    return follow("POST", target, body, redirects, "Origin", originFrom(page));
  }

  /** Sends a form of the site as a page of it would, with the token of the session. */
  public Page submit(String path, String... fields) {
    StringBuilder body = new StringBuilder("_csrf=").append(encoded(formToken()));
    for (int i = 0; i < fields.length; i += 2) {
      body.append('&').append(encoded(fields[i])).append('=').append(encoded(fields[i + 1]));
    }
    String origin = home.getScheme() + "://" + home.getAuthority();
    return follow("POST", home.resolve(path), body.toString(), MAX_REDIRECTS, "Origin", origin);
  }

  /** As the Fetch standard has it: a page that wants no referrer keeps its origin to itself too. */
  private static String originFrom(Page page) {
    return page.answer().headers().allValues("Referrer-Policy").contains("no-referrer")
        ? "null"
        : page.address().getScheme() + "://" + page.address().getAuthority();
  }

  private Page follow(String method, URI start, String body, int redirects, String... headers) {
    List<HttpResponse<byte[]>> way = new ArrayList<>();
    URI address = start;
    HttpResponse<byte[]> answer = exchange(method, address, body, headers);
    way.add(answer);
    while (answer.statusCode() / 100 == 3 && way.size() <= redirects) {
      address = address.resolve(answer.headers().firstValue("Location").orElseThrow());
      answer = exchange("GET", address, null);
      way.add(answer);
    }
    return new Page(address, answer, way);
  }

  private HttpResponse<byte[]> exchange(
      String method, URI address, String body, String... headers) {
    List<String> all = new ArrayList<>(Arrays.asList(headers));
    all.addAll(List.of("Cookie", cookieHeader(address), "Accept", "text/html"));
    if (body != null) {
      all.addAll(
          List.of(
              "Content-Type",
              "application/x-www-form-urlencoded",
              "Sec-Fetch-Site",
              "same-origin"));
    }
    HttpResponse<byte[]> answer = Http.send(method, address, body, all.toArray(String[]::new));
    keep(address, answer);
    return answer;
  }

  /** A call of an API as a script of the site makes it; further headers in pairs. */
  public Answer call(String method, String path, String body, String... headers) {
    List<String> all = new ArrayList<>(Arrays.asList(headers));
    all.addAll(List.of("Cookie", cookieHeader(home), "Content-Type", "application/json"));
    HttpResponse<byte[]> answer =
        Http.send(method, home.resolve(path), body, all.toArray(String[]::new));
    keep(home, answer);
    String type = answer.headers().firstValue("Content-Type").orElse("");
    return new Answer(
        answer.statusCode(),
        type.endsWith("json") ? JSON.readTree(answer.body()) : JSON.nullNode(),
        answer);
  }

  /** As above, with the token that changes need. */
  public Answer change(String method, String path, String body, String... headers) {
    List<String> all = new ArrayList<>(Arrays.asList(headers));
    all.addAll(List.of("X-CSRF-TOKEN", formToken()));
    return call(method, path, body, all.toArray(String[]::new));
  }

  public String formToken() {
    return call("GET", "/api/v1/session", null).body().path("csrf_token").asString();
  }

  private String cookieHeader(URI address) {
    String all =
        cookies.getOrDefault(site(address), Map.of()).entrySet().stream()
            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? "none=0" : all;
  }

  private void keep(URI address, HttpResponse<byte[]> answer) {
    Map<String, String> kept =
        cookies.computeIfAbsent(site(address), none -> new LinkedHashMap<>());
    for (String cookie : answer.headers().allValues("Set-Cookie")) {
      String pair = cookie.split(";", 2)[0];
      String name = pair.substring(0, pair.indexOf('='));
      if (cookie.contains("Max-Age=0")) {
        kept.remove(name);
      } else {
        kept.put(name, pair.substring(pair.indexOf('=') + 1));
      }
    }
  }

  private static String site(URI address) {
    return address.getAuthority();
  }

  private static String attribute(String tag, String name) {
    Matcher value = Pattern.compile(" " + name + "=\"([^\"]*)\"").matcher(tag);
    return value.find()
        ? org.springframework.web.util.HtmlUtils.htmlUnescape(value.group(1))
        : null;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
