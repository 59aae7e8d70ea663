package io.tidemark.pipeline.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.Browser.Page;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Signs in the first administrator of the stack. The printed password works once, so the first
 * sign-in sets one of the tests' own.
 */
public final class FirstAdministrator {
  public static final String PASSWORD = "three quiet herons";

  private static final Pattern FIRST =
      Pattern.compile("First sign-in: mail address (\\S+) and password (\\S+) ");

  private static String mail;

  private FirstAdministrator() {}

  public static synchronized Browser signIn(RunningStack.Started stack) throws Exception {
    Browser browser = new Browser(site(stack));
    if (mail != null) {
      Page form = browser.open("/auth/sign-in");
      assertHome(browser.send(form, "mail", mail, "password", PASSWORD));
      return browser;
    }
    Matcher printed =
        FIRST.matcher(
            Files.readString(stack.stack().log("platform-api"), StandardCharsets.ISO_8859_1));
    assertThat(printed.find()).as("the password of the first sign-in, in the log").isTrue();
    String password = printed.group(2);
    Page change =
        browser.send(browser.open("/auth/sign-in"), "mail", printed.group(1), "password", password);
    assertThat(change.address().getPath()).as(change.text()).isEqualTo("/identity/password");
    assertHome(browser.send(change, "present", password, "wanted", PASSWORD, "again", PASSWORD));
    mail = printed.group(1);
    return browser;
  }

  /** The mail address, once somebody has signed in. */
  public static synchronized String mail() {
    return mail;
  }

  /** Where browsers go; they keep the cookie of a session on localhost, not on 127.0.0.1. */
  public static String site(RunningStack.Started stack) {
    return stack.coordinates().get("TIDEMARK_URL").replace("127.0.0.1", "localhost");
  }

  private static void assertHome(Page home) {
    assertThat(home.address().getPath()).as(home.text()).isEqualTo("/console/");
  }
}
