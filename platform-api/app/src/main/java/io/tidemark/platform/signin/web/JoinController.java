package io.tidemark.platform.signin.web;

import io.tidemark.platform.access.Invitations;
import io.tidemark.platform.access.Invitations.Offer;
import io.tidemark.platform.access.People;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.signin.Accounts;
import io.tidemark.platform.signin.ConditionalOnSignIn;
import io.tidemark.platform.signin.session.FormToken;
import io.tidemark.platform.signin.session.PersonSession;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Where the link of an invitation leads. The token moves from the address to the session at once,
 * so that it stays in no history and is sent to nobody.
 */
@Controller
@ConditionalOnRole(ProcessRole.CONTROL)
@ConditionalOnSignIn
class JoinController {

  private static final String TOKEN = "tidemark.invitation";
  private static final int LONGEST = 200;

  private final Invitations invitations;
  private final People people;
  private final PersonSession sessions;
  private final ObjectProvider<Accounts> accounts;

  JoinController(
      Invitations invitations,
      People people,
      PersonSession sessions,
      ObjectProvider<Accounts> accounts) {
    this.invitations = invitations;
    this.people = people;
    this.sessions = sessions;
    this.accounts = accounts;
  }

  @GetMapping("/join")
  ResponseEntity<String> join(
      HttpServletRequest request, @RequestParam(required = false) String token) {
    if (token != null && token.length() <= LONGEST) {
      request.getSession().setAttribute(TOKEN, token);
      return SignInController.redirect(URI.create("/join"));
    }
    return page(request, HttpStatus.OK, "", List.of());
  }

  private Optional<String> token(HttpServletRequest request) {
    return Optional.ofNullable(request.getSession(false))
        .map(session -> (String) session.getAttribute(TOKEN));
  }

  private ResponseEntity<String> page(
      HttpServletRequest request, HttpStatus status, String name, List<String> faults) {
    Optional<Offer> offer = token(request).flatMap(invitations::offer);
    if (offer.isEmpty()) {
      return useless();
    }
    Optional<Person> person = sessions.of(request).flatMap(people::find);
    return PageTemplates.page(
        status,
        "An invitation for you",
        template(person, offer.get()),
        Map.of(
            "organization",
            offer.get().organizationName(),
            "roles",
            GrantDescriptions.of(offer.get().invitation().grants()),
            "mail",
            offer.get().invitation().mail(),
            "own",
            person.map(Person::mail).orElse(""),
            "name",
            name,
            "csrf",
            FormToken.of(request)),
        faults);
  }

  private String template(Optional<Person> person, Offer offer) {
    if (person.isEmpty()) {
      return accounts.getIfAvailable() == null ? "join-sign-in" : "join-account";
    }
    return offer.invitation().mail().equalsIgnoreCase(person.get().mail()) ? "join" : "join-other";
  }

  private static ResponseEntity<String> useless() {
    return PageTemplates.page(
        HttpStatus.NOT_FOUND,
        "This link is not good",
        "useless",
        Map.of(
            "why",
            "It was used, revoked or replaced, or it is too old. Ask whoever sent it for a new"
                + " one."),
        List.of());
  }

  @PostMapping("/join")
  ResponseEntity<String> accept(HttpServletRequest request) {
    Optional<Person> person = sessions.of(request).flatMap(people::find);
    Optional<String> token = token(request);
    if (person.isEmpty() || token.isEmpty()) {
      return page(request, HttpStatus.UNAUTHORIZED, "", List.of());
    }
    try {
      Offer joined = invitations.accept(token.get(), person.get(), request.getRemoteAddr());
      request.getSession().removeAttribute(TOKEN);
      return PageTemplates.page(
          HttpStatus.OK,
          "Welcome",
          "joined",
          Map.of(
              "organization",
              joined.organizationName(),
              "roles",
              GrantDescriptions.of(joined.invitation().grants())),
          List.of());
    } catch (ProblemException refused) {
      return refused.code() == ErrorCode.FORBIDDEN
          ? page(request, HttpStatus.FORBIDDEN, "", refused.details())
          : useless();
    }
  }

  /** Whoever holds the link may make the account of its mail address, once. */
  @PostMapping("/join/account")
  ResponseEntity<String> account(
      HttpServletRequest request, @RequestParam String name, @RequestParam String wanted) {
    Accounts embedded = accounts.getIfAvailable();
    Optional<Offer> offer = token(request).flatMap(invitations::offer);
    if (embedded == null || offer.isEmpty()) {
      return useless();
    }
    try {
      embedded.create(offer.get().invitation().mail(), name.strip(), wanted, offer.get().mailed());
    } catch (ProblemException refused) {
      return page(request, HttpStatus.UNPROCESSABLE_CONTENT, name, refused.details());
    }
    return SignInController.redirect(URI.create("/auth/sign-in?return_to=/join"));
  }
}
