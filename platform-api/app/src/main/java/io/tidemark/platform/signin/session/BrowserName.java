package io.tidemark.platform.signin.session;

import java.util.LinkedHashMap;
import java.util.Map;

/** Says what a browser is, as people call it, from its User-Agent header. */
final class BrowserName {

  /** In this order: browsers name their relatives too, the most particular one last. */
  private static final Map<String, String> BROWSERS = new LinkedHashMap<>();

  private static final Map<String, String> SYSTEMS = new LinkedHashMap<>();

  static {
    BROWSERS.put("Edg/", "Edge");
    BROWSERS.put("tidemarkctl/", "tidemarkctl");
    BROWSERS.put("OPR/", "Opera");
    BROWSERS.put("Firefox/", "Firefox");
    BROWSERS.put("Chrome/", "Chrome");
    BROWSERS.put("Safari/", "Safari");
    SYSTEMS.put("iPhone", "iPhone");
    SYSTEMS.put("iPad", "iPad");
    SYSTEMS.put("Android", "Android");
    SYSTEMS.put("Windows", "Windows");
    SYSTEMS.put("Mac OS X", "macOS");
    SYSTEMS.put("CrOS", "ChromeOS");
    SYSTEMS.put("Linux", "Linux");
  }

  private BrowserName() {}

  /** Such as "Firefox on Linux"; "An unknown browser" when nothing is recognised. */
  static String of(String userAgent) {
    String agent = userAgent == null ? "" : userAgent;
    String system = named(SYSTEMS, agent, "");
    return named(BROWSERS, agent, "An unknown browser") + (system.isEmpty() ? "" : " on " + system);
  }

  private static String named(Map<String, String> names, String agent, String otherwise) {
    return names.entrySet().stream()
        .filter(name -> agent.contains(name.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(otherwise);
  }
}
