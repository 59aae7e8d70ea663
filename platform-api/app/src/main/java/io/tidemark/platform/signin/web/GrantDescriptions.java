package io.tidemark.platform.signin.web;

import java.util.List;
import java.util.stream.Collectors;

/** What somebody is, in words for people: {@code developer@env-a} is "developer in env-a". */
final class GrantDescriptions {

  private GrantDescriptions() {}

  static String of(List<String> grants) {
    return grants.stream()
        .map(
            grant -> {
              String[] parts = grant.split("@", 2);
              String role = parts[0].replace('_', ' ').replace("organization", "organisation");
              return parts.length == 1 ? role : role + " in " + parts[1];
            })
        .collect(Collectors.joining(", "));
  }
}
