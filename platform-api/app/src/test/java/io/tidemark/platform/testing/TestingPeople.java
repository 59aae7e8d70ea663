package io.tidemark.platform.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.signin.Accounts;
import io.tidemark.platform.testing.TestingBrowser.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** People with accounts at the running platform, each in a browser of their own. */
public final class TestingPeople {

  public static final String PASSWORD = "three quiet herons";
  public static final String ADMIN = "admin@localhost";

  private static String firstPassword;

  private TestingPeople() {}

  /** Somebody new, signed in. */
  public static TestingBrowser signedIn(RunningPlatform platform, String mail) {
    platform.bean(Accounts.class).create(mail, "Somebody", PASSWORD, true);
    return signIn(platform, mail, PASSWORD);
  }

  /** Signs in with an account that exists. */
  public static TestingBrowser signIn(RunningPlatform platform, String mail, String password) {
    TestingBrowser browser = TestingBrowser.of(platform);
    Page form = browser.open("/auth/sign-in");
    Page home = browser.send(form, "mail", mail, "password", password);
    assertThat(home.status()).as(home.text()).isEqualTo(200);
    assertThat(home.address().getPath()).isIn("/console/", "/account");
    return browser;
  }

  /** The first administrator, after the first sign-in of all. */
  public static synchronized TestingBrowser admin(RunningPlatform platform) {
    if (firstPassword == null) {
      firstPassword = printedPassword(platform);
      TestingBrowser browser = TestingBrowser.of(platform);
      Page form = browser.open("/auth/sign-in");
      Page change = browser.send(form, "mail", ADMIN, "password", firstPassword);
      assertThat(change.address().getPath()).isEqualTo("/identity/password");
      Page home =
          browser.send(change, "present", firstPassword, "wanted", PASSWORD, "again", PASSWORD);
      assertThat(home.address().getPath()).as(home.text()).isIn("/console/", "/account");
    }
    return signIn(platform, ADMIN, PASSWORD);
  }

  /** The password that was printed at the first start. */
  public static String printedPassword(RunningPlatform platform) {
    try {
      Matcher line =
          Pattern.compile("First sign-in: mail address (\\S+) and password (\\S+) ")
              .matcher(Files.readString(platform.log()));
      assertThat(line.find()).isTrue();
      assertThat(line.group(1)).isEqualTo(ADMIN);
      String password = line.group(2);
      assertThat(line.find()).as("printed once").isFalse();
      return password;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
