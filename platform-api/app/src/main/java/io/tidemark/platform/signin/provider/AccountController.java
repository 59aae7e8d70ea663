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
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of Tidemark's own provider: mail address and password, and another password. */
@Controller
@ConditionalOnRole(ProcessRole.CONTROL)
@ConditionalOnEmbeddedProvider
class AccountController {

  private static final String PASSWORD_PAGE = "/identity/password";

  private final Accounts accounts;
  private final AccountSession session;
  private final PersonSession people;
  private final People known;
  private final SecondFactors factors;

  AccountController(
      Accounts accounts,
      AccountSession session,
      PersonSession people,
      People known,
      SecondFactors factors) {
    this.accounts = accounts;
    this.session = session;
    this.factors = factors;
    this.people = people;
    this.known = known;
  }

  @GetMapping(ProviderConfiguration.SIGN_IN_PAGE)
  ResponseEntity<String> signInPage(HttpServletRequest request) {
    return signInPage(request, HttpStatus.OK, "", List.of());
  }

  private static ResponseEntity<String> signInPage(
      HttpServletRequest request, HttpStatus status, String mail, List<String> faults) {
    return PageTemplates.page(
        status, "Sign in", "sign-in", Map.of("csrf", FormToken.of(request), "mail", mail), faults);
  }

  @PostMapping(ProviderConfiguration.SIGN_IN_PAGE)
  ResponseEntity<String> signIn(
      HttpServletRequest request, @RequestParam String mail, @RequestParam String password) {
    Account account;
    try {
      account = accounts.authenticate(mail, password, request.getRemoteAddr());
    } catch (ProblemException refused) {
      return signInPage(
          request, HttpStatus.valueOf(refused.code().status()), mail, refused.details());
    }
    if (account.mustChangePassword()) {
      session.beginChange(request, account.id());
      return redirect(PASSWORD_PAGE);
    }
    return begin(request, account);
  }

  /** The password was right; who has a second factor is asked for it first. */
  private ResponseEntity<String> begin(HttpServletRequest request, Account account) {
    if (factors.isOn(account.id())) {
      session.beginSecondFactor(request, account.id());
      return redirect(SecondFactorController.PAGE);
    }
    session.begin(request, account.id());
    return goOn(request);
  }

  private ResponseEntity<String> goOn(HttpServletRequest request) {
    return redirect(session.wanted(request).orElse("/auth/sign-in"));
  }

  private Optional<Account> account(HttpServletRequest request) {
    return session
        .accountToChange(request)
        .or(() -> session.account(request))
        .flatMap(accounts::find);
  }

  @GetMapping(PASSWORD_PAGE)
  ResponseEntity<String> passwordPage(HttpServletRequest request) {
    return account(request)
        .map(account -> passwordPage(request, HttpStatus.OK, account, List.of()))
        .orElseGet(() -> redirect("/auth/sign-in?return_to=/account"));
  }

  private static ResponseEntity<String> passwordPage(
      HttpServletRequest request, HttpStatus status, Account account, List<String> faults) {
    return PageTemplates.page(
        status,
        "A new password",
        "password",
        Map.of(
            "csrf",
            FormToken.of(request),
            "mail",
            account.mail(),
            "why",
            account.mustChangePassword()
                ? "The first password was shown on a screen. Choose one that only you know."
                : "Other browsers that are signed in as you will have to sign in again."),
        faults);
  }

  @PostMapping(PASSWORD_PAGE)
  ResponseEntity<String> changePassword(
      HttpServletRequest request,
      @RequestParam String present,
      @RequestParam String wanted,
      @RequestParam String again) {
    Optional<Account> account = account(request);
    if (account.isEmpty()) {
      return redirect("/auth/sign-in?return_to=/account");
    }
    // The change ends the session's own account too, until it begins anew below.
    boolean wasSignedIn = session.account(request).isPresent();
    if (!wanted.equals(again)) {
      return passwordPage(
          request,
          HttpStatus.UNPROCESSABLE_CONTENT,
          account.get(),
          List.of("The two new passwords differ."));
    }
    try {
      accounts.changePassword(account.get().id(), present, wanted, request.getRemoteAddr());
    } catch (ProblemException refused) {
      return passwordPage(
          request, HttpStatus.valueOf(refused.code().status()), account.get(), refused.details());
    }
    // Before this session gets its new identifier, under which it is not kept yet.
    known
        .find(Accounts.ISSUER, account.get().id())
        .ifPresent(person -> people.endAll(person.id(), request.getSession().getId()));
    if (!wasSignedIn) {
      return begin(request, account.get());
    }
    session.begin(request, account.get().id());
    return goOn(request);
  }

  static ResponseEntity<String> redirect(String path) {
    return ResponseEntity.status(HttpStatus.SEE_OTHER)
        .location(URI.create(path))
        .header("Cache-Control", "no-store")
        .build();
  }
}
