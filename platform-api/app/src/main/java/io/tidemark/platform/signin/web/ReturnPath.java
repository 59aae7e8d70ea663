package io.tidemark.platform.signin.web;

import java.util.regex.Pattern;

/** Where a browser goes after signing in: a path of this server and nothing else. */
final class ReturnPath {

  static final String USUAL = "/console/";

  /** One slash, then no second one and no backslash, which browsers take for one. */
  private static final Pattern OWN = Pattern.compile("/(?:[!-~&&[^/\\\\]][!-~&&[^\\\\]]*)?");

  private ReturnPath() {}

  /** The path that is asked for when it is one of this server, else the usual one. */
  static String of(String asked) {
    return asked != null && asked.length() <= 1024 && OWN.matcher(asked).matches() ? asked : USUAL;
  }
}
