package io.tidemark.platform.signin.web;

import io.tidemark.platform.access.People;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.ConditionalOnSignIn;
import io.tidemark.platform.signin.PublicAddress;
import io.tidemark.platform.signin.session.FormToken;
import io.tidemark.platform.signin.session.PersonSession;
import io.tidemark.platform.tenancy.Organizations;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.net.URI;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

/** Where signing in begins and ends, and the page of who is signed in. */
@Controller
@ConditionalOnRole(ProcessRole.CONTROL)
@ConditionalOnSignIn
class SignInController {

  private static final Logger LOG = LoggerFactory.getLogger(SignInController.class);

  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final Providers providers;
  private final PublicAddress address;
  private final PersonSession sessions;
  private final People people;
  private final Organizations organizations;
  private final AuditLog audit;

  SignInController(
      Providers providers,
      PublicAddress address,
      PersonSession sessions,
      People people,
      Organizations organizations,
      AuditLog audit) {
    this.providers = providers;
    this.address = address;
    this.sessions = sessions;
    this.people = people;
    this.organizations = organizations;
    this.audit = audit;
  }

  @GetMapping("/auth/sign-in")
  ResponseEntity<String> signIn(
      HttpServletRequest request,
      @RequestParam(name = "return_to", required = false) String returnTo) {
    String target = ReturnPath.of(returnTo);
    // The session has to be of the host that the provider sends the browser back to.
    if (!URI.create(address.origin()).getHost().equals(request.getServerName())) {
      return redirect(
          UriComponentsBuilder.fromUriString(address.origin() + "/auth/sign-in")
              .queryParam("return_to", "{target}")
              .encode()
              .buildAndExpand(target)
              .toUri());
    }
    if (sessions.of(request).isPresent()) {
      return redirect(URI.create(target));
    }
    try {
      providers.registration();
    } catch (IllegalArgumentException away) {
      LOG.warn("The provider of identities cannot be asked: {}", away.toString());
      return failed(
          HttpStatus.SERVICE_UNAVAILABLE,
          "The sign-in of your organisation cannot be reached now.");
    }
    request.getSession().setAttribute(SignInSuccessHandler.RETURN_TO, target);
    return redirect(URI.create("/auth/start/" + Providers.ID));
  }

  @GetMapping("/auth/failed")
  ResponseEntity<String> failed() {
    return failed(
        HttpStatus.UNAUTHORIZED,
        "It took too long, was begun in another window, or the other side refused.");
  }

  @GetMapping("/auth/disabled")
  ResponseEntity<String> disabled() {
    return PageTemplates.page(
        HttpStatus.FORBIDDEN,
        "Your account is disabled",
        "failed",
        Map.of("why", "Ask an administrator of your organisation to enable it again."),
        List.of());
  }

  private static ResponseEntity<String> failed(HttpStatus status, String why) {
    return PageTemplates.page(
        status, "Signing in did not work", "failed", Map.of("why", why), List.of());
  }

  @PostMapping("/auth/sign-out")
  ResponseEntity<String> signOut(HttpServletRequest request) {
    Optional<String> person = sessions.of(request);
    Optional<String> idToken = sessions.idToken(request);
    HttpSession session = request.getSession(false);
    if (session != null) {
      session.invalidate();
    }
    person.ifPresent(
        id ->
            audit.done(
                TenantId.PLATFORM,
                new Actor("person", id, request.getRemoteAddr()),
                "person.sign_out",
                "person",
                id,
                null,
                null));
    Optional<URI> elsewhere =
        idToken.flatMap(token -> providers.signOutAddress().map(url -> elsewhere(url, token)));
    return elsewhere
        .map(
            url -> {
              ResponseEntity<String> page =
                  PageTemplates.page(
                      HttpStatus.OK,
                      "Signed out",
                      "signed-out-elsewhere",
                      Map.of("url", url.toString()),
                      List.of());
              // Not a redirect: the policy of forms would hold browsers back from another origin.
              return ResponseEntity.ok()
                  .headers(page.getHeaders())
                  .header("Refresh", "0; url=" + url)
                  .body(page.getBody());
            })
        .orElseGet(() -> redirect(URI.create("/auth/signed-out")));
  }

  private URI elsewhere(String url, String idToken) {
    return UriComponentsBuilder.fromUriString(url)
        .queryParam("id_token_hint", "{token}")
        .queryParam("post_logout_redirect_uri", "{back}")
        .encode()
        .buildAndExpand(idToken, address.origin() + "/auth/signed-out")
        .toUri();
  }

  @GetMapping("/auth/signed-out")
  ResponseEntity<String> signedOut() {
    return PageTemplates.page(HttpStatus.OK, "Signed out", "signed-out", Map.of(), List.of());
  }

  @GetMapping("/account")
  ResponseEntity<String> account(HttpServletRequest request) {
    Optional<Person> person = sessions.of(request).flatMap(people::find);
    if (person.isEmpty()) {
      return redirect(URI.create("/auth/sign-in"));
    }
    String belongings =
        people.organizationsOf(person.get().id()).stream()
            .map(
                belonging ->
                    organizations.get(belonging.organization()).displayName()
                        + " ("
                        + GrantDescriptions.of(belonging.grants())
                        + ")")
            .collect(Collectors.joining("; "));
    return PageTemplates.page(
        HttpStatus.OK,
        "You are signed in",
        providers.isEmbedded() ? "account-embedded" : "account",
        Map.of(
            "name",
            person.get().displayName(),
            "mail",
            person.get().mail() == null ? "none" : person.get().mail(),
            "organizations",
            belongings.isEmpty() ? "none yet" : belongings,
            "person",
            person.get().id(),
            "csrf",
            FormToken.of(request),
            "browsers",
            sessions.browsers(person.get().id(), request).stream()
                .map(SignInController::texts)
                .toList()),
        List.of());
  }

  private static Map<String, Object> texts(PersonSession.Browser browser) {
    return Map.of(
        "id",
        browser.id(),
        "name",
        browser.name(),
        "address",
        browser.address(),
        "since",
        MINUTES.format(browser.since()),
        "used",
        MINUTES.format(browser.lastUsed()),
        "current",
        browser.current(),
        "other",
        !browser.current());
  }

  @PostMapping("/account/sessions/end")
  ResponseEntity<String> endSession(HttpServletRequest request, @RequestParam String session) {
    sessions
        .of(request)
        .ifPresent(
            person -> {
              sessions.end(person, session);
              audit.done(
                  TenantId.PLATFORM,
                  new Actor("person", person, request.getRemoteAddr()),
                  "person.end_session",
                  "person",
                  person,
                  null,
                  null);
            });
    return redirect(URI.create("/account"));
  }

  static ResponseEntity<String> redirect(URI target) {
    return ResponseEntity.status(HttpStatus.SEE_OTHER)
        .location(target)
        .header("Cache-Control", "no-store")
        .build();
  }
}
