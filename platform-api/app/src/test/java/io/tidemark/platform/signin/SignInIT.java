package io.tidemark.platform.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingBrowser.Page;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingPeople;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People sign in at Tidemark's own provider and use the APIs with their session. */
@ExtendWith(RunningPlatform.Extension.class)
class SignInIT {

  private static final String COOKIE = "__Host-tidemark-session";

  private final RunningPlatform platform;

  SignInIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private static void assertProblem(Answer answer, int status, String code) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
  }

  private static int status(TestingBrowser browser) {
    return browser.call("GET", "/api/v1/caller", null).status();
  }

  @Test
  void theFirstAdministratorGetsAPasswordThatIsPrintedOnceAndHasToBeChanged() {
    TestingBrowser admin = TestingPeople.admin(platform);
    String printed = TestingPeople.printedPassword(platform);

    var caller = admin.call("GET", "/api/v1/caller", null).body();
    assertThat(caller.path("kind").asString()).isEqualTo("person");
    assertThat(caller.path("person").path("mail").asString()).isEqualTo(TestingPeople.ADMIN);
    assertThat(caller.path("organizations").toString())
        .contains("org-self", "org-demo", "organization_admin", "members:write");

    TestingBrowser other = TestingBrowser.of(platform);
    Page refused =
        other.send(other.open("/auth/sign-in"), "mail", TestingPeople.ADMIN, "password", printed);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.text()).contains("do not fit each other");
    List<String> hashes =
        platform
            .database()
            .sql("SELECT password_hash FROM identity.account")
            .query(String.class)
            .list();
    assertThat(hashes).isNotEmpty().allMatch(hash -> hash.startsWith("$2a$12$"));
  }

  @Test
  void aSessionIsACookieThatScriptsCannotReadWithANewNameAtSignIn() {
    platform
        .bean(Accounts.class)
        .create("cookie@example.org", "Cookie", TestingPeople.PASSWORD, true);
    TestingBrowser browser = TestingBrowser.of(platform);
    Page form = browser.open("/auth/sign-in?return_to=/account%3Fx=1");
    String before = browser.cookie(COOKIE);
    assertThat(before).isNotBlank();
    Page home =
        browser.send(form, "mail", "cookie@example.org", "password", TestingPeople.PASSWORD);

    assertThat(home.address().toString()).endsWith("/account?x=1");
    assertThat(home.status()).isEqualTo(200);
    assertThat(browser.cookie(COOKIE)).isNotEqualTo(before);
    String set =
        home.way().stream()
            .flatMap(answer -> answer.headers().allValues("Set-Cookie").stream())
            .reduce((first, last) -> last)
            .orElseThrow();
    assertThat(set).contains("; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax");
    assertThat(set).doesNotContain("Domain");

    TestingBrowser thief = TestingBrowser.of(platform);
    thief.setCookie(COOKIE, before);
    assertThat(status(thief)).as("the session from before is nobody's").isEqualTo(401);
  }

  @Test
  void theFlowUsesPkceStateAndNonceAndTokensStayOnTheServer() {
    platform.bean(Accounts.class).create("flow@example.org", "Flow", TestingPeople.PASSWORD, true);
    TestingBrowser browser = TestingBrowser.of(platform);
    Page form = browser.open("/auth/sign-in");
    String authorize =
        form.way().stream()
            .flatMap(answer -> answer.headers().firstValue("Location").stream())
            .filter(location -> location.contains("/oauth2/authorize"))
            .findFirst()
            .orElseThrow();
    assertThat(authorize)
        .contains("code_challenge=", "code_challenge_method=S256", "state=", "nonce=");
    Page home = browser.send(form, "mail", "flow@example.org", "password", TestingPeople.PASSWORD);
    for (HttpResponse<byte[]> answer : home.way()) {
      assertThat(Http.text(answer) + answer.headers().map())
          .as("no token in what the browser gets")
          .doesNotContain("eyJ");
    }
  }

  /** What an attacker has who saw a code on its way: without the verifier it is worth nothing. */
  @Test
  void aCodeIsWorthNothingWithoutItsVerifierAndWorksOnce() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "code@example.org");
    String secret = platform.bean(ConsoleClient.class).secret();
    String verifier = "v".repeat(43);
    assertThat(redeem(code(browser), "w".repeat(43), secret)).contains("invalid_grant");
    assertThat(redeem(code(browser), "", secret)).contains("invalid_grant");
    assertThat(redeem(code(browser), verifier, "wrong")).contains("invalid_client");
    String code = code(browser);
    assertThat(redeem(code, verifier, secret)).contains("id_token");
    assertThat(redeem(code, verifier, secret)).contains("invalid_grant");
  }

  private String code(TestingBrowser browser) {
    Page answer =
        browser.look(
            "/oauth2/authorize?response_type=code&client_id=tidemark-console&scope=openid&state=s"
                + "&nonce=n&redirect_uri="
                + platform.page("/auth/callback")
                + "&code_challenge_method=S256&code_challenge="
                + challenge("v".repeat(43)));
    Matcher code =
        Pattern.compile("[?&]code=([^&]+)")
            .matcher(answer.answer().headers().firstValue("Location").orElseThrow());
    assertThat(code.find()).isTrue();
    return code.group(1);
  }

  private static String challenge(String verifier) {
    try {
      return java.util.Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              java.security.MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (java.security.NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private String redeem(String code, String verifier, String secret) {
    String client =
        java.util.Base64.getEncoder()
            .encodeToString(("tidemark-console:" + secret).getBytes(StandardCharsets.US_ASCII));
    return Http.text(
        Http.post(
            platform.page("/oauth2/token"),
            "grant_type=authorization_code&code="
                + code
                + "&redirect_uri="
                + platform.page("/auth/callback")
                + (verifier.isEmpty() ? "" : "&code_verifier=" + verifier),
            "Content-Type",
            "application/x-www-form-urlencoded",
            "Authorization",
            "Basic " + client));
  }

  @Test
  void aBrowserSignsACommandLineInOnceAndOnlyTheOneThatAsked() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "command-line@example.org");
    String verifier = "v".repeat(43);
    String asked = commandLine(verifier);
    assertThat(TestingBrowser.of(platform).look(asked).answer().headers().firstValue("Location"))
        .get()
        .asString()
        .startsWith("/auth/sign-in?return_to=");
    assertThat(browser.look(asked.replace("port=4", "port=x")).status()).isEqualTo(400);
    assertThat(browser.look(asked).text()).contains("command-line@example.org");

    String code = code(browser, asked);
    assertThat(redeemed(code, "w".repeat(43)).statusCode()).isEqualTo(401);
    assertThat(redeemed(code, verifier).statusCode()).as("a wrong try used it up").isEqualTo(401);

    String good = code(browser, asked);
    HttpResponse<byte[]> answer = redeemed(good, verifier);
    assertThat(answer.statusCode()).isEqualTo(204);
    TestingBrowser program = TestingBrowser.of(platform);
    program.setCookie(
        COOKIE, answer.headers().firstValue("Set-Cookie").orElseThrow().split("[=;]", 3)[1]);
    assertThat(
            program
                .call("GET", "/api/v1/caller", null)
                .body()
                .path("person")
                .path("mail")
                .asString())
        .isEqualTo("command-line@example.org");
    assertThat(redeemed(good, verifier).statusCode()).as("a second time").isEqualTo(401);
    assertThat(browser.open("/account").text()).contains("tidemarkctl");
  }

  private static String commandLine(String verifier) {
    try {
      String challenge =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(
                  MessageDigest.getInstance("SHA-256")
                      .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
      return "/auth/command-line?port=45678&state=" + "s".repeat(40) + "&challenge=" + challenge;
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static String code(TestingBrowser browser, String asked) {
    Page done = browser.send(browser.open(asked));
    String target = done.answer().headers().firstValue("Refresh").orElseThrow();
    assertThat(target).startsWith("0; url=http://127.0.0.1:45678/?code=").endsWith("s".repeat(40));
    return target.replaceAll(".*code=|&.*", "");
  }

  private HttpResponse<byte[]> redeemed(String code, String verifier) {
    return Http.send(
        "POST",
        platform.page("/auth/command-line/session"),
        "{\"code\":\"" + code + "\",\"verifier\":\"" + verifier + "\"}",
        "Content-Type",
        "application/json",
        "User-Agent",
        "tidemarkctl/1");
  }

  @Test
  void anotherRedirectAddressIsRefusedByTheProvider() {
    Page answer =
        TestingBrowser.of(platform)
            .look(
                "/oauth2/authorize?response_type=code&client_id=tidemark-console&scope=openid"
                    + "&redirect_uri=https://evil.example/&code_challenge_method=S256"
                    + "&code_challenge=x");
    assertThat(answer.answer().headers().firstValue("Location").orElse("/"))
        .doesNotContain("evil.example");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/%5Cevil.example/%0d%0a",
        "\\\\evil.example",
        "javascript:alert(1)",
        "account"
      })
  void aBrowserIsSentNowhereElseAfterSigningIn(String target) {
    TestingBrowser browser = TestingBrowser.of(platform);
    browser.setCookie("x", "y");
    Page form =
        browser.open(
            "/auth/sign-in?return_to="
                + java.net.URLEncoder.encode(target, StandardCharsets.UTF_8));
    String mail = "redirect" + Integer.toHexString(target.hashCode()) + "@example.org";
    platform.bean(Accounts.class).create(mail, "Redirect", TestingPeople.PASSWORD, true);
    Page home = browser.send(form, "mail", mail, "password", TestingPeople.PASSWORD);
    assertThat(home.address().getAuthority()).isEqualTo(platform.page("/").getAuthority());
    assertThat(home.way())
        .allSatisfy(
            answer ->
                assertThat(answer.headers().firstValue("Location").orElse(""))
                    .doesNotContain("evil.example/\r")
                    .doesNotStartWith("https://evil")
                    .doesNotStartWith("//")
                    .doesNotStartWith("/\\"));
  }

  @Test
  void aChangeWithASessionNeedsItsTokenAndTheSameOrigin() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "csrf@example.org");
    String organization = "{\"display_name\":\"Forged\"}";
    String path = "/api/v1/organizations";
    assertProblem(browser.call("POST", path, organization), 403, "forbidden");
    assertProblem(
        browser.call("POST", path, organization, "X-CSRF-TOKEN", "x".repeat(48)), 403, "forbidden");
    String ofAnother = TestingPeople.signedIn(platform, "csrf2@example.org").formToken();
    assertProblem(
        browser.call("POST", path, organization, "X-CSRF-TOKEN", ofAnother), 403, "forbidden");
    assertProblem(
        browser.change("POST", path, organization, "Sec-Fetch-Site", "cross-site"),
        403,
        "forbidden");
    assertProblem(
        browser.change("POST", path, organization, "Origin", "https://evil.example"),
        403,
        "forbidden");
    assertThat(browser.change("POST", path, organization).status()).isEqualTo(201);
    assertThat(
            platform
                .database()
                .sql(
                    "SELECT count(*) FROM audit_entry WHERE action = 'session.use' AND outcome = 'refused'")
                .query(Long.class)
                .single())
        .isGreaterThanOrEqualTo(5);
  }

  /** The path of an API in another spelling passes neither check, and reaches no controller. */
  @Test
  void anEncodedPathIsNoWayAroundTheToken() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "spelled@example.org");
    for (String path : List.of("/%61pi/v1/organizations", "/a%70i/v1/organizations")) {
      Answer answer = browser.call("POST", path, "{\"display_name\":\"Forged\"}");
      assertThat(answer.status()).as(path).isEqualTo(400);
    }
    assertThat(
            Http.post(
                    platform.page("/%69dentity/sign-in"),
                    "mail=spelled%40example.org&password=x",
                    "Content-Type",
                    "application/x-www-form-urlencoded")
                .statusCode())
        .isEqualTo(400);
  }

  /** Whoever has a session of the provider that was left before its last step. */
  @Test
  void aParkedSessionOfTheProviderEndsWithThePassword() {
    String mail = "parked@example.org";
    TestingBrowser owner = TestingPeople.signedIn(platform, mail);
    TestingBrowser thief = TestingBrowser.of(platform);
    Page form = thief.open("/auth/sign-in");
    Page parked = thief.sendAndStay(form, "mail", mail, "password", TestingPeople.PASSWORD);
    assertThat(parked.status()).isEqualTo(303);
    String wanted = "four loud herons";
    Page changed =
        owner.send(
            owner.open("/identity/password"),
            "present",
            TestingPeople.PASSWORD,
            "wanted",
            wanted,
            "again",
            wanted);
    assertThat(changed.status()).isEqualTo(200);

    assertThat(thief.open("/auth/sign-in").address().getPath())
        .as("the provider asks for the password again")
        .isEqualTo("/identity/sign-in");
    assertThat(status(owner)).isEqualTo(200);
  }

  @Test
  void callbacksThatNobodyAskedForFillNoLog() {
    long before = refusedSignIns();
    for (int i = 0; i < 5; i++) {
      TestingBrowser.of(platform).open("/auth/callback");
      TestingBrowser.of(platform).open("/auth/callback?code=x&state=y");
    }
    TestingBrowser began = TestingBrowser.of(platform);
    for (int i = 0; i < 5; i++) {
      String state =
          java.net
              .URI
              .create(
                  began
                      .look("/auth/start/tidemark")
                      .answer()
                      .headers()
                      .firstValue("Location")
                      .orElseThrow())
              .getRawQuery()
              .replaceAll(".*state=([^&]+).*", "$1");
      began.open("/auth/callback?code=wrong&state=" + state);
    }
    assertThat(refusedSignIns()).isEqualTo(before);
    platform.bean(io.tidemark.platform.signin.web.SignInFailureRecorder.class).write();
    assertThat(refusedSignIns()).as("five attempts are one entry").isEqualTo(before + 1);
  }

  private long refusedSignIns() {
    return platform
        .database()
        .sql(
            "SELECT count(*) FROM audit_entry WHERE action = 'person.sign_in' AND outcome ="
                + " 'refused'")
        .query(Long.class)
        .single();
  }

  @Test
  void theFirstRequestsOfAPageComeTogetherAndHaveOneToken() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "together@example.org");

    List<String> tokens =
        IntStream.range(0, 8).parallel().mapToObj(request -> browser.formToken()).toList();

    assertThat(tokens).doesNotContain("").hasSize(8);
    for (String token : tokens) {
      assertThat(
              browser
                  .call(
                      "POST",
                      "/api/v1/organizations",
                      "{\"display_name\":\"Together\"}",
                      "X-CSRF-TOKEN",
                      token)
                  .status())
          .isEqualTo(201);
    }
  }

  @Test
  void aRequestWithAKeyIsTheKeysWhateverCookieComesWithIt() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "both@example.org");
    Answer answer =
        browser.call(
            "GET",
            "/api/v1/caller",
            null,
            "Authorization",
            TestingKeys.bearer(RunningPlatform.DEMO_KEY));
    assertThat(answer.body().path("kind").asString()).isEqualTo("api_key");
    assertProblem(
        browser.call("GET", "/api/v1/caller", null, "Authorization", "Bearer wrong"),
        401,
        "unauthenticated");
  }

  @Test
  void signingOutEndsTheSessionAndNotOnlyTheCookie() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "out@example.org");
    String cookie = browser.cookie(COOKIE);
    Page out = browser.send(browser.open("/account"));
    assertThat(out.address().getPath()).isEqualTo("/auth/signed-out");
    assertThat(browser.cookie(COOKIE)).isNull();
    browser.setCookie(COOKIE, cookie);
    assertThat(status(browser)).isEqualTo(401);
    assertThat(browser.open("/auth/sign-in").address().getPath())
        .as("the provider does not know the browser any more either")
        .isEqualTo("/identity/sign-in");
  }

  @Test
  void whoReadsTheTableOfSessionsCannotMakeACookie() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "table@example.org");
    String cookie = browser.cookie(COOKIE);
    String id = cookie.substring(0, cookie.indexOf('.'));
    assertThat(
            platform
                .database()
                .sql("SELECT count(*) FROM identity.session WHERE session_id = :id")
                .param("id", id)
                .query(Long.class)
                .single())
        .isEqualTo(1);
    for (String forged : List.of(id, id + ".", id + ".AAAA", id + "." + "A".repeat(43))) {
      browser.setCookie(COOKIE, forged);
      assertThat(status(browser)).isEqualTo(401);
    }
    browser.setCookie(COOKIE, cookie);
    assertThat(status(browser)).isEqualTo(200);
  }

  @Test
  void anUnusedSessionEnds() {
    TestingBrowser browser = TestingPeople.signedIn(platform, "idle@example.org");
    String id = browser.cookie(COOKIE).split("\\.")[0];
    int seconds =
        platform
            .database()
            .sql("SELECT max_inactive_interval FROM identity.session WHERE session_id = :id")
            .param("id", id)
            .query(Integer.class)
            .single();
    assertThat(seconds).isEqualTo(3600);
    platform
        .database()
        .sql(
            """
            UPDATE identity.session SET
              last_access_time = last_access_time - 3600000, expiry_time = expiry_time - 3600000
            WHERE session_id = :id
            """)
        .param("id", id)
        .update();
    assertThat(status(browser)).isEqualTo(401);
  }

  @Test
  void tooManyWrongPasswordsBlockTheRightOneForAWhile() {
    platform
        .bean(Accounts.class)
        .create("guess@example.org", "Guess", TestingPeople.PASSWORD, true);
    TestingBrowser browser = TestingBrowser.of(platform);
    Page form = browser.open("/auth/sign-in");
    for (int i = 0; i < 5; i++) {
      assertThat(browser.send(form, "mail", "Guess@example.org ", "password", "wrong").status())
          .isEqualTo(401);
    }
    Page blocked =
        browser.send(form, "mail", "guess@example.org", "password", TestingPeople.PASSWORD);
    assertThat(blocked.status()).isEqualTo(429);
    assertThat(
            platform
                .database()
                .sql(
                    """
                    SELECT count(*) FROM audit_entry
                    WHERE organization_id = 'org-self' AND action = 'account.sign_in'
                      AND object_id = (SELECT id FROM identity.account
                                       WHERE mail = 'guess@example.org')
                    """)
                .query(Long.class)
                .single())
        .isEqualTo(5);
    // The address is this machine's, which other tests come from too.
    platform.database().sql("DELETE FROM identity.failed_sign_in").update();
    assertThat(
            browser
                .send(form, "mail", "guess@example.org", "password", TestingPeople.PASSWORD)
                .status())
        .isEqualTo(200);
  }

  private ErrorCode refusal(String mail, String password, String address) {
    try {
      platform.bean(Accounts.class).authenticate(mail, password, address);
      return null;
    } catch (ProblemException refused) {
      return refused.code();
    }
  }

  @Test
  void wrongPasswordsOfAStrangerElsewhereKeepNoOwnerOut() {
    String mail = "named@example.org";
    platform.bean(Accounts.class).create(mail, "Named", TestingPeople.PASSWORD, true);
    for (int i = 0; i < 20; i++) {
      refusal(mail, "wrong", "198.51.100.7");
    }
    assertThat(refusal(mail, TestingPeople.PASSWORD, "198.51.100.7"))
        .isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(refusal(mail, TestingPeople.PASSWORD, "203.0.113.5")).isNull();
  }

  @Test
  void guessesAtOnceAreNoMoreThanOneByOne() throws Exception {
    String mail = "parallel@example.org";
    platform.bean(Accounts.class).create(mail, "Parallel", TestingPeople.PASSWORD, true);
    ExecutorService guessers = Executors.newFixedThreadPool(16);
    try {
      List<Future<ErrorCode>> guesses = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        guesses.add(guessers.submit(() -> refusal(mail, "wrong", "198.51.100.8")));
      }
      int looked = 0;
      for (Future<ErrorCode> guess : guesses) {
        looked += guess.get() == ErrorCode.UNAUTHENTICATED ? 1 : 0;
      }
      assertThat(looked).isEqualTo(5);
    } finally {
      guessers.shutdownNow();
    }
  }

  @Test
  void anotherPasswordEndsTheOtherSessions() {
    TestingBrowser first = TestingPeople.signedIn(platform, "change@example.org");
    TestingBrowser second =
        TestingPeople.signIn(platform, "change@example.org", TestingPeople.PASSWORD);
    Page form = second.open("/identity/password");
    Page weak =
        second.send(form, "present", TestingPeople.PASSWORD, "wanted", "short", "again", "short");
    assertThat(weak.status()).isEqualTo(400);
    second.send(
        form,
        "present",
        TestingPeople.PASSWORD,
        "wanted",
        "another calm heron",
        "again",
        "another calm heron");
    assertThat(status(second)).isEqualTo(200);
    assertThat(status(first)).isEqualTo(401);
  }

  @Test
  void answersTellBrowsersToRunAndFrameNothing() {
    HttpResponse<byte[]> page = Http.get(platform.page("/identity/sign-in"));
    String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertThat(policy)
        .contains("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(page.headers().firstValue("Referrer-Policy")).contains("same-origin");
    assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(Http.text(page)).doesNotContain("<script", " style=", " onclick");
    assertThat(Http.text(page)).contains("<label for=\"mail\"", "<label for=\"password\"");
    assertThat(Http.get(platform.page("/assets/sign-in.css")).statusCode()).isEqualTo(200);
    assertThat(
            Http.get(platform.api("/api/v1/caller"))
                .headers()
                .firstValue("Content-Security-Policy"))
        .contains(policy);
  }

  @Test
  void whereNothingIsPeopleSeeAPageAndCallersAProblem() {
    HttpResponse<byte[]> page =
        Http.get(platform.page("/nowhere"), "Accept", "text/html,*/*;q=0.8");
    assertThat(page.statusCode()).isEqualTo(404);
    assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
    assertThat(Http.text(page)).contains("<h1>There is nothing here</h1>");
    String[] key = {
      "Accept", "text/html", "Authorization", TestingKeys.bearer(RunningPlatform.DEMO_KEY)
    };
    for (String path : new String[] {"/api/v1/nowhere", "/v2/nowhere", "/prometheus/nowhere"}) {
      assertNothingInJson(Http.get(platform.page(path), key));
    }
    assertNothingInJson(Http.get(platform.page("/nowhere"), "Accept", "*/*"));
    assertNothingInJson(Http.get(platform.page("/")));
    assertThat(TestingBrowser.of(platform).open("/").address().getPath())
        .as("a stranger who opens the site; the console's script leads on to the sign-in")
        .isEqualTo("/console/");
  }

  private static void assertNothingInJson(HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).endsWith("json");
  }

  @Test
  void aStrangersCodeOrStateIsRefused() {
    Page page = TestingBrowser.of(platform).open("/auth/callback?code=x&state=y");
    assertThat(page.status()).isEqualTo(401);
    assertThat(page.text()).contains("Signing in did not work");
  }
}
