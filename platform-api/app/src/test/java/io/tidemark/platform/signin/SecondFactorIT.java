package io.tidemark.platform.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingBrowser.Page;
import io.tidemark.platform.testing.TestingOneTimeCodes;
import io.tidemark.platform.testing.TestingPeople;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.time.Clock;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** People add a second factor, are asked for it, and get in by recovery codes without the phone. */
@ExtendWith(RunningPlatform.Extension.class)
class SecondFactorIT {

  private static final String SETUP = "/identity/second-factor/setup";

  private final RunningPlatform platform;

  SecondFactorIT(RunningPlatform platform) {
    this.platform = platform;
  }

  /** What an app shows, so many steps of thirty seconds from now. */
  private String code(String secret, int steps) throws InvalidKeyException {
    return TestingOneTimeCodes.of(secret, platform.bean(Clock.class).instant(), steps);
  }

  private static String secret(Page setup) {
    Matcher secret = Pattern.compile("<code>([A-Z2-7]{32})</code>").matcher(setup.text());
    assertThat(secret.find()).as(setup.text()).isTrue();
    return secret.group(1);
  }

  private static List<String> recoveryCodes(Page shown) {
    return Pattern.compile("<code>([A-Z2-7]{5}-[A-Z2-7]{5})</code>")
        .matcher(shown.text())
        .results()
        .map((MatchResult code) -> code.group(1))
        .toList();
  }

  private Page passwordGiven(TestingBrowser browser, String mail) {
    Page asked =
        browser.send(
            browser.open("/auth/sign-in"), "mail", mail, "password", TestingPeople.PASSWORD);
    assertThat(asked.address().getPath()).isEqualTo("/identity/second-factor");
    return asked;
  }

  private static int status(TestingBrowser browser) {
    return browser.call("GET", "/api/v1/caller", null).status();
  }

  @Test
  void whoHasOneIsAskedForACodeThatWorksOnce() throws Exception {
    String mail = "factor@example.org";
    TestingBrowser browser = TestingPeople.signedIn(platform, mail);
    Page setup = browser.open(SETUP);
    String secret = secret(setup);
    String picture =
        new String(
            browser.open("/identity/second-factor/picture.svg").answer().body(),
            StandardCharsets.UTF_8);
    assertThat(picture).startsWith("<svg").doesNotContain(secret);
    Page wrong = browser.send(setup, "code", "000000", "password", TestingPeople.PASSWORD);
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(secret(wrong)).as("the picture stays while the person tries").isEqualTo(secret);
    String first = code(secret, 0);
    Page codes = browser.send(wrong, "code", first, "password", TestingPeople.PASSWORD);
    assertThat(recoveryCodes(codes)).hasSize(10).doesNotHaveDuplicates();

    TestingBrowser other = TestingBrowser.of(platform);
    Page asked = passwordGiven(other, mail);
    assertThat(status(other)).as("the password alone opens nothing").isEqualTo(401);
    assertThat(other.open("/identity/password").text())
        .as("nor the pages of the account")
        .doesNotContain("Set the new password");
    assertThat(other.send(asked, "code", first).status()).as("used").isEqualTo(401);
    Page home =
        other.send(
            asked,
            "code",
            " " + code(secret, 1).substring(0, 3) + " " + code(secret, 1).substring(3));
    assertThat(home.status()).as(home.text()).isEqualTo(200);
    assertThat(status(other)).isEqualTo(200);
  }

  @Test
  void aRecoveryCodeWorksOnceAndThePasswordRemovesTheFactor() throws Exception {
    String mail = "recovery@example.org";
    TestingBrowser browser = TestingPeople.signedIn(platform, mail);
    Page setup = browser.open(SETUP);
    List<String> codes =
        recoveryCodes(
            browser.send(
                setup, "code", code(secret(setup), 0), "password", TestingPeople.PASSWORD));

    TestingBrowser without = TestingBrowser.of(platform);
    Page home = without.send(passwordGiven(without, mail), "code", codes.get(0).toLowerCase());
    assertThat(home.status()).as(home.text()).isEqualTo(200);
    assertThat(status(without)).isEqualTo(200);
    TestingBrowser again = TestingBrowser.of(platform);
    assertThat(again.send(passwordGiven(again, mail), "code", codes.get(0)).status())
        .isEqualTo(401);

    Page on = without.open(SETUP);
    assertThat(on.text()).contains("9 recovery codes");
    assertThat(without.send(on, "password", "not the password").status()).isEqualTo(401);
    without.send(without.open(SETUP), "password", TestingPeople.PASSWORD);
    assertThat(status(TestingPeople.signIn(platform, mail, TestingPeople.PASSWORD))).isEqualTo(200);
    assertThat(
            platform
                .database()
                .sql(
                    """
                    SELECT action FROM audit_entry WHERE object_id =
                      (SELECT id FROM identity.account WHERE mail = 'recovery@example.org')
                      AND outcome = 'done'
                    """)
                .query(String.class)
                .list())
        .contains(
            "account.add_second_factor",
            "account.use_recovery_code",
            "account.remove_second_factor");
  }

  @Test
  void guessesOfCodesAreThrottledAndLeaveThePasswordAlone() throws Exception {
    String mail = "guesses@example.org";
    TestingBrowser browser = TestingPeople.signedIn(platform, mail);
    Page setup = browser.open(SETUP);
    String secret = secret(setup);
    browser.send(setup, "code", code(secret, 0), "password", TestingPeople.PASSWORD);

    TestingBrowser guesser = TestingBrowser.of(platform);
    Page asked = passwordGiven(guesser, mail);
    for (int guess = 0; guess < 5; guess++) {
      assertThat(guesser.send(asked, "code", "00000" + guess).status()).isEqualTo(401);
    }
    assertThat(guesser.send(asked, "code", code(secret, 1)).status())
        .as("the right one is not looked at")
        .isEqualTo(429);
    passwordGiven(TestingBrowser.of(platform), mail);
  }
}
