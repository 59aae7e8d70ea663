package io.tidemark.platform.shared;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What this process does.
 *
 * @param roles a list with commas; empty for everything
 */
@ConfigurationProperties("tidemark")
public record RolesProperties(@DefaultValue("") String roles) implements ValidatedSettings {

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
    return isKnown
        ? List.of()
        : List.of(
            "TIDEMARK_ROLES must name some of "
                + ProcessRole.words()
                + ", with commas; unset it for all of them");
  }
}
