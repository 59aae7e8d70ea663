package io.tidemark.platform.notification;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Where messages of an alert go in the Alert API of Opsgenie: one makes it, others acknowledge and
 * close it under its alias. Another address is that of a receiver which tells them apart itself.
 * Pure.
 */
final class OpsgenieAddress {

  private static final String ALERTS = "/v2/alerts";
  private static final String ACKNOWLEDGED = "incident.acknowledged";

  private OpsgenieAddress() {}

  /** Whether an address is that of the API. */
  static boolean isApi(String url) {
    return url.endsWith(ALERTS);
  }

  /** Whether a message acknowledges or closes an alert, and does not make one. */
  static boolean isAboutAlert(String type, boolean isOpen) {
    return type.startsWith("incident.") && (type.equals(ACKNOWLEDGED) || !isOpen);
  }

  /**
   * Where a message about an alert goes.
   *
   * @param incident alias of the alert
   */
  static String of(String url, String type, String incident) {
    return url
        + "/"
        + URLEncoder.encode(incident, StandardCharsets.UTF_8)
        + (type.equals(ACKNOWLEDGED) ? "/acknowledge" : "/close")
        + "?identifierType=alias";
  }
}
