package io.tidemark.platform.shared;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What this process does.
 *
 * @param roles a list with commas; empty for everything
 * @param region name of a second region, which reads the first one's stream; empty in the first
 */
@ConfigurationProperties("tidemark")
public record RolesProperties(@DefaultValue("") String roles, @DefaultValue("") String region)
    implements ValidatedSettings {

  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");

  /** The roles of this process. */
  public Set<ProcessRole> all() {
    return ProcessRole.named(roles);
  }

  @Override
  public List<String> faults() {
    boolean isKnown =
        roles.isBlank()
            || Arrays.stream(roles.split(",", -1))
                .allMatch(
                    word ->
                        Arrays.stream(ProcessRole.values())
                            .anyMatch(role -> role.word().equals(word.strip())));
    List<String> faults = new ArrayList<>();
    if (!isKnown) {
      faults.add(
          "TIDEMARK_ROLES must name some of "
              + ProcessRole.words()
              + ", with commas; unset it for all of them");
    }
    if (!region.isBlank() && !REGION.matcher(region).matches()) {
      faults.add("TIDEMARK_REGION must be lower-case letters, digits and dashes, at most 40");
    }
    if (!region.isBlank() && !all().equals(Set.of(ProcessRole.QUERY))) {
      faults.add(
          "TIDEMARK_REGION names a second region, whose processes have TIDEMARK_ROLES=query; unset"
              + " it in the first");
    }
    return faults;
  }
}
