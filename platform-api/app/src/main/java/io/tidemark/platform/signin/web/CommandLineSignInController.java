package io.tidemark.platform.signin.web;

import io.tidemark.platform.access.People;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.ConditionalOnSignIn;
import io.tidemark.platform.signin.SecretSealer;
import io.tidemark.platform.signin.session.FormToken;
import io.tidemark.platform.signin.session.PersonSession;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Signs tidemarkctl in with a browser: a person who is signed in agrees, the browser takes a code
 * to the program on the same machine (RFC 8252), and the program gets a session of its own for it.
 */
@Controller
@ConditionalOnSignIn
class CommandLineSignInController {

  static final String SESSION_PATH = "/auth/command-line/session";

  private static final Pattern STATE = Pattern.compile("[A-Za-z0-9_-]{20,100}");
  private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final Pattern VERIFIER = Pattern.compile("[A-Za-z0-9_-]{43,128}");
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_-]{43}");

  /** What a program gives for a session of a person. */
  record Redemption(String code, String verifier) {

    @Override
    public String toString() {
      return "Redemption[]";
    }
  }

  private final CommandLineCodes codes;
  private final PersonSession sessions;
  private final People people;
  private final CsrfTokenRepository tokens;
  private final AuditLog audit;

  CommandLineSignInController(
      JdbcClient jdbc,
      SecretSealer sealing,
      Clock clock,
      PersonSession sessions,
      People people,
      CsrfTokenRepository tokens,
      AuditLog audit) {
    this.codes = new CommandLineCodes(jdbc, sealing, clock, new SecureRandom());
    this.sessions = sessions;
    this.people = people;
    this.tokens = tokens;
    this.audit = audit;
  }

  @GetMapping("/auth/command-line")
  ResponseEntity<String> ask(
      HttpServletRequest request,
      @RequestParam(defaultValue = "0") String port,
      @RequestParam(defaultValue = "") String state,
      @RequestParam(defaultValue = "") String challenge) {
    if (!isWellFormed(port, state, challenge)) {
      return failed("The address is not one that tidemarkctl opens.");
    }
    Optional<Person> person = sessions.of(request).flatMap(people::find);
    if (person.isEmpty()) {
      return SignInController.redirect(
          UriComponentsBuilder.fromPath("/auth/sign-in")
              .queryParam("return_to", "{target}")
              .encode()
              .buildAndExpand(
                  "/auth/command-line?port=" + port + "&state=" + state + "&challenge=" + challenge)
              .toUri());
    }
    return PageTemplates.page(
        HttpStatus.OK,
        "Sign in to the command line",
        "command-line",
        Map.of(
            "mail",
            Optional.ofNullable(person.get().mail()).orElse(person.get().displayName()),
            "csrf",
            FormToken.of(request),
            "port",
            port,
            "state",
            state,
            "challenge",
            challenge),
        List.of());
  }

  @PostMapping("/auth/command-line")
  ResponseEntity<String> agree(
      HttpServletRequest request,
      @RequestParam String port,
      @RequestParam String state,
      @RequestParam String challenge) {
    Optional<String> person = sessions.of(request);
    if (person.isEmpty() || !isWellFormed(port, state, challenge)) {
      return failed("You are not signed in any more.");
    }
    String code = codes.draw(person.get(), challenge);
    URI target = URI.create("http://127.0.0.1:" + port + "/?code=" + code + "&state=" + state);
    ResponseEntity<String> page =
        PageTemplates.page(
            HttpStatus.OK,
            "Almost there",
            "command-line-done",
            Map.of("code", code, "url", target.toString()),
            List.of());
    // Not a redirect: the policy of forms would hold browsers back from another origin.
    return ResponseEntity.ok()
        .headers(page.getHeaders())
        .header("Refresh", "0; url=" + target)
        .body(page.getBody());
  }

  /** Only JSON: no form of another site can send it. */
  @PostMapping(path = SESSION_PATH, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Void> begin(
      HttpServletRequest request, HttpServletResponse response, @RequestBody Redemption given) {
    String person =
        Optional.of(given)
            .filter(each -> fits(CODE, each.code()) && fits(VERIFIER, each.verifier()))
            .flatMap(each -> codes.redeem(each.code(), each.verifier()))
            .filter(id -> !people.isDisabledEverywhere(id))
            .orElseThrow(
                () ->
                    ProblemException.of(
                        ErrorCode.UNAUTHENTICATED,
                        "The code is wrong, was used, or is older than a minute. Sign in again."));
    HttpSession before = request.getSession(false);
    if (before != null) {
      before.invalidate();
    }
    sessions.begin(request.getSession(), person, null);
    sessions.describe(request);
    tokens.saveToken(tokens.generateToken(request), request, response);
    audit.done(
        TenantId.PLATFORM,
        new Actor("person", person, request.getRemoteAddr()),
        "person.sign_in_command_line",
        "person",
        person,
        null,
        null);
    return ResponseEntity.noContent().header("Cache-Control", "no-store").build();
  }

  private static boolean isWellFormed(String port, String state, String challenge) {
    return port.matches("[1-9][0-9]{3,4}")
        && Integer.parseInt(port) >= 1024
        && Integer.parseInt(port) <= 65_535
        && fits(STATE, state)
        && fits(CHALLENGE, challenge);
  }

  private static boolean fits(Pattern form, String text) {
    return text != null && form.matcher(text).matches();
  }

  private static ResponseEntity<String> failed(String why) {
    return PageTemplates.page(
        HttpStatus.BAD_REQUEST, "Signing in did not work", "failed", Map.of("why", why), List.of());
  }
}
