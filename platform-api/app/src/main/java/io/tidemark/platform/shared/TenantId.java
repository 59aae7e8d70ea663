package io.tidemark.platform.shared;

import java.util.regex.Pattern;

/**
 * Identifies an organisation, the unit of isolation. 1 to 63 lower-case letters, digits and
 * hyphens, not starting with a hyphen. The first argument of every repository call.
 */
public record TenantId(String value) {

  private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  /** The organisation that Tidemark itself is: its own metrics, and what belongs to no other. */
  public static final TenantId PLATFORM = new TenantId("org-self");

  /** Whether the text has the form of an identifier of an organisation or environment. */
  public static boolean isWellFormed(String text) {
    return FORM.matcher(text).matches();
  }

  public TenantId {
    if (!isWellFormed(value)) {
      throw new IllegalArgumentException(
          "An organisation id is 1 to 63 of a-z, 0-9 and '-', not starting with '-'");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
