package io.tidemark.platform.signin.web;

import io.tidemark.platform.signin.ConditionalOnSignIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/**
 * What a person sees at an address where nothing is; the site's own address leads to the console,
 * and to who they are where no console was built. Callers of the APIs are answered by the APIs.
 */
@Component
@ConditionalOnSignIn
class NotFoundPage implements HandlerExceptionResolver, Ordered {

  private static final String CONSOLE = "/console/";
  private static final List<String> APIS =
      List.of("/api/", "/v1/", "/v2/", "/prometheus/", "/billing/v1/");

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception fault) {
    if (!(fault instanceof NoResourceFoundException) || !isAPersons(request)) {
      return null;
    }
    try {
      String path = request.getRequestURI();
      if (path.equals("/") || path.equals(CONSOLE)) {
        String target = path.equals(CONSOLE) ? "/account" : CONSOLE;
        PageTemplates.write(response, SignInController.redirect(URI.create(target)));
      } else {
        PageTemplates.write(
            response,
            PageTemplates.page(
                HttpStatus.NOT_FOUND, "There is nothing here", "nothing", Map.of(), List.of()));
      }
      return new ModelAndView();
    } catch (IOException gone) {
      return null;
    }
  }

  private static boolean isAPersons(HttpServletRequest request) {
    String accepted = request.getHeader("Accept");
    return accepted != null
        && accepted.contains("text/html")
        && request.getMethod().equals("GET")
        && APIS.stream().noneMatch(request.getRequestURI()::startsWith);
  }
}
