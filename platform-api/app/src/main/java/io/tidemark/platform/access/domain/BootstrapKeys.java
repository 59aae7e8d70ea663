package io.tidemark.platform.access.domain;

import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Organizations;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which keys exist from the first start, and what they may do. */
public final class BootstrapKeys {

  /** The organisation for trying things out. */
  public static final TenantId DEMO = new TenantId("org-demo");

  private static final Set<Permission> EVERYTHING = EnumSet.allOf(Permission.class);
  private static final Set<Permission> OWN_METRICS =
      EnumSet.of(Permission.METRICS_WRITE, Permission.METRICS_READ);

  private BootstrapKeys() {}

  /** A key, whose it is, and what it may do. */
  public record Grant(TenantId organization, ApiKeyText key, Set<Permission> scopes) {}

  /** What a list of extra keys says, or what is wrong with it. */
  public record Extra(List<Grant> grants, List<String> faults) {}

  /** All grants; texts must have been checked before. Empty texts grant nothing. */
  public static List<Grant> grants(String selfKey, String demoKey, String extraKeys) {
    List<Grant> grants = new ArrayList<>();
    ApiKeyText.parse(selfKey)
        .ifPresent(key -> grants.add(new Grant(Organizations.PLATFORM, key, EVERYTHING)));
    ApiKeyText.parse(demoKey).ifPresent(key -> grants.add(new Grant(DEMO, key, EVERYTHING)));
    grants.addAll(parseExtra(extraKeys).grants());
    return grants;
  }

  /** Reads comma-separated {@code organisation=key}; faults name the position, never the key. */
  public static Extra parseExtra(String text) {
    List<Grant> grants = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    if (!text.isBlank()) {
      String[] entries = text.split(",", -1);
      for (int i = 0; i < entries.length; i++) {
        String entry = entries[i].strip();
        String position = "entry " + (i + 1) + ": ";
        int equals = entry.indexOf('=');
        if (equals < 0 || !TenantId.isWellFormed(entry.substring(0, equals))) {
          faults.add(position + "not of the form organisation=key");
          continue;
        }
        TenantId organization = new TenantId(entry.substring(0, equals));
        String key = entry.substring(equals + 1);
        ApiKeyText.faultOf(key).ifPresent(fault -> faults.add(position + fault));
        ApiKeyText.parse(key)
            .ifPresent(parsed -> grants.add(new Grant(organization, parsed, OWN_METRICS)));
      }
    }
    return new Extra(grants, faults);
  }
}
