package io.tidemark.platform.signin.provider;

import com.google.zxing.BarcodeFormat;
import com.google.zxing.EncodeHintType;
import com.google.zxing.WriterException;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.qrcode.QRCodeWriter;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.signin.Accounts;
import io.tidemark.platform.signin.Accounts.Account;
import io.tidemark.platform.signin.ConditionalOnEmbeddedProvider;
import io.tidemark.platform.signin.session.FormToken;
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

/** The pages of the second factor: asked for at sign-in, turned on, and removed. */
@Controller
@ConditionalOnRole(ProcessRole.CONTROL)
@ConditionalOnEmbeddedProvider
class SecondFactorController {

  static final String PAGE = "/identity/second-factor";

  private static final String SETUP = PAGE + "/setup";
  private static final String PICTURE = PAGE + "/picture.svg";

  private final Accounts accounts;
  private final AccountSession session;
  private final SecondFactors factors;

  SecondFactorController(Accounts accounts, AccountSession session, SecondFactors factors) {
    this.accounts = accounts;
    this.session = session;
    this.factors = factors;
  }

  @GetMapping(PAGE)
  ResponseEntity<String> codePage(HttpServletRequest request) {
    return session
        .accountToConfirm(request)
        .map(account -> codePage(request, HttpStatus.OK, List.of()))
        .orElseGet(SecondFactorController::toSignIn);
  }

  private static ResponseEntity<String> codePage(
      HttpServletRequest request, HttpStatus status, List<String> faults) {
    return PageTemplates.page(
        status,
        "Your second factor",
        "second-factor",
        Map.of("csrf", FormToken.of(request)),
        faults);
  }

  @PostMapping(PAGE)
  ResponseEntity<String> confirm(HttpServletRequest request, @RequestParam String code) {
    Optional<String> account = session.accountToConfirm(request);
    if (account.isEmpty()) {
      return toSignIn();
    }
    try {
      factors.check(account.get(), code, request.getRemoteAddr());
    } catch (ProblemException refused) {
      return codePage(request, HttpStatus.valueOf(refused.code().status()), refused.details());
    }
    session.begin(request, account.get());
    return AccountController.redirect(session.wanted(request).orElse("/auth/sign-in"));
  }

  @GetMapping(SETUP)
  ResponseEntity<String> setupPage(HttpServletRequest request) {
    return account(request)
        .map(account -> setupPage(request, HttpStatus.OK, account, List.of()))
        .orElseGet(SecondFactorController::toAccount);
  }

  private ResponseEntity<String> setupPage(
      HttpServletRequest request, HttpStatus status, Account account, List<String> faults) {
    String csrf = FormToken.of(request);
    if (factors.isOn(account.id())) {
      return PageTemplates.page(
          status,
          "The second factor is on",
          "second-factor-on",
          Map.of("csrf", csrf, "left", Integer.toString(factors.recoveryCodesLeft(account.id()))),
          faults);
    }
    SecondFactors.Enrolment enrolment = factors.enrol(account.id(), account.mail());
    return PageTemplates.page(
        status,
        "Add a second factor",
        "second-factor-setup",
        Map.of("csrf", csrf, "secret", enrolment.secret(), "picture", PICTURE),
        faults);
  }

  /** What apps read: one square of the picture is one unit. */
  @GetMapping(PICTURE)
  ResponseEntity<String> picture(HttpServletRequest request) throws WriterException {
    Optional<Account> account = account(request).filter(known -> !factors.isOn(known.id()));
    if (account.isEmpty()) {
      return ResponseEntity.notFound().build();
    }
    String address = factors.enrol(account.get().id(), account.get().mail()).address().toString();
    BitMatrix squares =
        new QRCodeWriter()
            .encode(address, BarcodeFormat.QR_CODE, 0, 0, Map.of(EncodeHintType.MARGIN, 4));
    StringBuilder dark = new StringBuilder();
    for (int y = 0; y < squares.getHeight(); y++) {
      for (int x = 0; x < squares.getWidth(); x++) {
        if (squares.get(x, y)) {
          dark.append('M').append(x).append(' ').append(y).append("h1v1h-1z");
        }
      }
    }
    return ResponseEntity.ok()
        .header("Content-Type", "image/svg+xml")
        .header("Cache-Control", "no-store")
        .body(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"><path fill=\"#fff\" d=\"M0 0h%dv%dH0z\"/><path d=\"%s\"/></svg>"
                .formatted(
                    squares.getWidth(),
                    squares.getHeight(),
                    squares.getWidth(),
                    squares.getHeight(),
                    dark));
  }

  @PostMapping(SETUP)
  ResponseEntity<String> turnOn(
      HttpServletRequest request, @RequestParam String password, @RequestParam String code) {
    Optional<Account> account = account(request);
    if (account.isEmpty()) {
      return toAccount();
    }
    List<String> recovery;
    try {
      accounts.authenticate(account.get().mail(), password, request.getRemoteAddr());
      recovery = factors.confirm(account.get().id(), code, request.getRemoteAddr());
    } catch (ProblemException refused) {
      return setupPage(
          request, HttpStatus.valueOf(refused.code().status()), account.get(), refused.details());
    }
    return PageTemplates.page(
        HttpStatus.OK,
        "Keep your recovery codes",
        "recovery-codes",
        Map.of("codes", recovery.stream().map(SecondFactorController::legible).toList()),
        List.of());
  }

  private static String legible(String recoveryCode) {
    return recoveryCode.substring(0, 5) + "-" + recoveryCode.substring(5);
  }

  @PostMapping(PAGE + "/remove")
  ResponseEntity<String> remove(HttpServletRequest request, @RequestParam String password) {
    Optional<Account> account = account(request);
    if (account.isEmpty()) {
      return toAccount();
    }
    try {
      accounts.authenticate(account.get().mail(), password, request.getRemoteAddr());
    } catch (ProblemException refused) {
      return setupPage(
          request, HttpStatus.valueOf(refused.code().status()), account.get(), refused.details());
    }
    factors.remove(account.get().id(), request.getRemoteAddr());
    return AccountController.redirect("/account");
  }

  private Optional<Account> account(HttpServletRequest request) {
    return session.account(request).flatMap(accounts::find);
  }

  private static ResponseEntity<String> toSignIn() {
    return AccountController.redirect("/auth/sign-in");
  }

  private static ResponseEntity<String> toAccount() {
    return AccountController.redirect("/auth/sign-in?return_to=/account");
  }
}
