package io.tidemark.platform.signin.provider;

import io.tidemark.platform.access.People;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.signin.Accounts;
import io.tidemark.platform.signin.Accounts.Account;
import io.tidemark.platform.signin.ConditionalOnEmbeddedProvider;
import io.tidemark.platform.signin.session.FormToken;
import io.tidemark.platform.signin.session.PersonSession;
import io.tidemark.platform.signin.web.PageTemplates;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages of a forgotten password. The token of a link moves from the address to the session at
 * once, so that it stays in no history and is sent to nobody.
 */
@Controller
@ConditionalOnRole(ProcessRole.CONTROL)
@ConditionalOnEmbeddedProvider
class PasswordResetController {

  private static final String FORGOTTEN = "/identity/forgotten";
  private static final String TOKEN = "tidemark.password-reset";
  private static final int LONGEST = 200;

  private final PasswordResets resets;
  private final PersonSession sessions;
  private final People people;

  PasswordResetController(PasswordResets resets, PersonSession sessions, People people) {
    this.resets = resets;
    this.sessions = sessions;
    this.people = people;
  }

  @GetMapping(FORGOTTEN)
  ResponseEntity<String> forgottenPage(HttpServletRequest request) {
    return forgottenPage(request, HttpStatus.OK, "", List.of());
  }

  private ResponseEntity<String> forgottenPage(
      HttpServletRequest request, HttpStatus status, String mail, List<String> faults) {
    return resets.isAvailable()
        ? PageTemplates.page(
            status,
            "A forgotten password",
            "forgotten",
            Map.of("csrf", FormToken.of(request), "mail", mail),
            faults)
        : PageTemplates.page(
            HttpStatus.OK, "A forgotten password", "forgotten-without-mail", Map.of(), List.of());
  }

  @PostMapping(FORGOTTEN)
  ResponseEntity<String> sendLink(HttpServletRequest request, @RequestParam String mail) {
    if (resets.isAvailable()) {
      try {
        resets.request(mail, request.getRemoteAddr());
      } catch (ProblemException refused) {
        return forgottenPage(
            request, HttpStatus.valueOf(refused.code().status()), mail, refused.details());
      }
    }
    return PageTemplates.page(
        HttpStatus.OK, "Look into your mail", "forgotten-sent", Map.of("mail", mail), List.of());
  }

  @GetMapping(PasswordResets.PAGE)
  ResponseEntity<String> resetPage(
      HttpServletRequest request, @RequestParam(required = false) String token) {
    if (token != null && token.length() <= LONGEST) {
      request.getSession().setAttribute(TOKEN, token);
      return AccountController.redirect(PasswordResets.PAGE);
    }
    return token(request)
        .flatMap(resets::account)
        .map(account -> resetPage(request, HttpStatus.OK, account, List.of()))
        .orElseGet(PasswordResetController::uselessPage);
  }

  private static ResponseEntity<String> resetPage(
      HttpServletRequest request, HttpStatus status, Account account, List<String> faults) {
    return PageTemplates.page(
        status,
        "A new password",
        "reset",
        Map.of("csrf", FormToken.of(request), "mail", account.mail()),
        faults);
  }

  private static ResponseEntity<String> uselessPage() {
    return PageTemplates.page(
        HttpStatus.NOT_FOUND, "This link is good no more", "reset-useless", Map.of(), List.of());
  }

  @PostMapping(PasswordResets.PAGE)
  ResponseEntity<String> reset(
      HttpServletRequest request, @RequestParam String wanted, @RequestParam String again) {
    Optional<String> token = token(request);
    Optional<Account> account = token.flatMap(resets::account);
    if (account.isEmpty()) {
      return uselessPage();
    }
    if (!wanted.equals(again)) {
      return resetPage(
          request,
          HttpStatus.UNPROCESSABLE_CONTENT,
          account.get(),
          List.of("The two new passwords differ."));
    }
    Optional<Account> changed;
    try {
      changed = resets.use(token.get(), wanted, request.getRemoteAddr());
    } catch (ProblemException refused) {
      return resetPage(
          request, HttpStatus.valueOf(refused.code().status()), account.get(), refused.details());
    }
    if (changed.isEmpty()) {
      return uselessPage();
    }
    // Whoever knew the old password is out everywhere.
    people
        .find(Accounts.ISSUER, changed.get().id())
        .ifPresent(person -> sessions.endAll(person.id(), null));
    request.getSession().removeAttribute(TOKEN);
    return AccountController.redirect("/auth/sign-in");
  }

  private static Optional<String> token(HttpServletRequest request) {
    return Optional.ofNullable(request.getSession(false))
        .map(session -> (String) session.getAttribute(TOKEN));
  }
}
