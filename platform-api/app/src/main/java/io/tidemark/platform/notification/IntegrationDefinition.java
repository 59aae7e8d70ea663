package io.tidemark.platform.notification;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An integration as people write it.
 *
 * @param kind webhook, health_plus, slack, teams, pagerduty, opsgenie or email
 * @param severities incidents of these; of all when empty
 * @param labels incidents that have all of them
 * @param heartbeatMinutes how often it hears that alerts are decided; null for never
 */
public record IntegrationDefinition(
    String name,
    @Nullable String kind,
    String url,
    boolean enabled,
    List<String> severities,
    Map<String, String> labels,
    @Nullable Integer heartbeatMinutes) {

  private static final int MAX_MINUTES = 1_440;
  private static final int LONGEST_NAME = 120;
  private static final int LONGEST_URL = 2_000;
  private static final int MAX_LABELS = 16;
  private static final int LONGEST_LABEL = 255;
  private static final Pattern MAIL =
      Pattern.compile("mailto:[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_.-]{1,63}");

  public IntegrationDefinition {
    severities = severities.stream().distinct().sorted().toList();
    labels = new TreeMap<>(labels);
  }

  boolean isMail() {
    return "email".equals(kind);
  }

  /** One sentence a fault, naming the field. */
  List<String> faults(AddressPolicy addresses, boolean isMailAvailable) {
    List<String> faults = new ArrayList<>();
    if (name == null
        || name.isBlank()
        || name.length() > LONGEST_NAME
        || name.codePoints().anyMatch(Character::isISOControl)) {
      faults.add("name must be 1 to " + LONGEST_NAME + " characters.");
    }
    if (kind == null) {
      faults.add("kind must be one of those described.");
    }
    if (isMail()) {
      faults.addAll(mailFaults(isMailAvailable));
    } else {
      faults.addAll(urlFaults(addresses));
    }
    if (labels.size() > MAX_LABELS
        || labels.entrySet().stream()
            .anyMatch(
                label ->
                    !LABEL.matcher(label.getKey()).matches()
                        || label.getValue() == null
                        || label.getValue().length() > LONGEST_LABEL
                        || label.getValue().indexOf('\0') >= 0)) {
      faults.add(
          "labels must be at most "
              + MAX_LABELS
              + ", with names of letters, digits, _, . and -, and values of at most "
              + LONGEST_LABEL
              + " characters.");
    }
    heartbeatFault(faults);
    return faults;
  }

  private void heartbeatFault(List<String> faults) {
    if (heartbeatMinutes == null) {
      return;
    }
    if (heartbeatMinutes < 1 || heartbeatMinutes > MAX_MINUTES) {
      faults.add("heartbeat_minutes must be 1 to " + MAX_MINUTES + ".");
    }
    if ("pagerduty".equals(kind) || "opsgenie".equals(kind)) {
      faults.add(
          "heartbeat_minutes must be absent for "
              + kind
              + ": each message would open an alert there. Send them to a webhook of a service that"
              + " waits for heartbeats.");
    }
  }

  private List<String> mailFaults(boolean isMailAvailable) {
    List<String> faults = new ArrayList<>();
    if (!isMailAvailable) {
      faults.add(
          "kind must not be email: no mail server is set. Whoever runs Tidemark sets"
              + " TIDEMARK_SMTP_HOST.");
    }
    if (url == null || url.length() > LONGEST_NAME || !MAIL.matcher(url).matches()) {
      faults.add("url must be mailto: and one mail address, such as mailto:ops@example.org.");
    }
    return faults;
  }

  private List<String> urlFaults(AddressPolicy addresses) {
    if (url == null || url.length() > LONGEST_URL) {
      return List.of("url must be at most " + LONGEST_URL + " characters.");
    }
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException notAnUri) {
      return List.of("url is not a URL.");
    }
    List<String> faults = new ArrayList<>();
    boolean isPlain = "http".equals(uri.getScheme()) && addresses.hasExceptions();
    if (!"https".equals(uri.getScheme()) && !isPlain) {
      faults.add("url must begin with https://.");
    }
    if (uri.getHost() == null || uri.getHost().isEmpty()) {
      faults.add("url must have a host.");
    } else if (isForbidden(uri.getHost(), addresses)) {
      faults.add("url must not be an address that is private, local or reserved.");
    }
    if (uri.getRawUserInfo() != null) {
      faults.add("url must not have credentials: they would be shown to whoever may see it.");
    }
    if (uri.getRawFragment() != null) {
      faults.add("url must not have a fragment.");
    }
    return faults;
  }

  /**
   * An address by itself, which needs no look-up. Names are looked up at every delivery, when it
   * counts.
   */
  private static boolean isForbidden(String host, AddressPolicy addresses) {
    String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    boolean isLiteral = plain.indexOf(':') >= 0 || plain.matches("[0-9.]+|0[xX][0-9a-fA-F]+");
    if (plain.equalsIgnoreCase("localhost") && !addresses.hasExceptions()) {
      return true;
    }
    if (!isLiteral) {
      return false;
    }
    try {
      return !addresses.isAllowed(java.net.InetAddress.getByName(plain));
    } catch (java.net.UnknownHostException notAnAddress) {
      return true;
    }
  }

  /** Whether an incident of this severity and with these labels concerns it. */
  boolean concerns(@Nullable String severity, Map<String, String> ofIncident) {
    return (severities.isEmpty() || severities.contains(severity))
        && ofIncident.entrySet().containsAll(labels.entrySet());
  }
}
