package io.tidemark.platform.shared.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

class ErrorAdviceTest {

  private final Logger logger =
      (Logger) LoggerFactory.getLogger(ErrorAdvice.class.getPackageName());
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @RestController
  static class TestingFaults {

    @GetMapping("/v2/gone")
    String gone() throws IOException {
      throw new AsyncRequestNotUsableException("Response not usable after response errors.");
    }

    @GetMapping("/v2/fault")
    String fault() throws IOException {
      throw new IOException("disk");
    }
  }

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
  }

  private static MockHttpServletResponse answer(String path) throws Exception {
    ErrorResponses answers =
        new ErrorResponses(
            () -> "error-1", new ErrorVocabulary(), new MockHttpServletRequest("GET", path));
    MockMvc http =
        MockMvcBuilders.standaloneSetup(new TestingFaults())
            .setControllerAdvice(new ErrorAdvice(answers))
            .build();
    return http.perform(get(path)).andReturn().getResponse();
  }

  @Test
  void aClientThatWentAwayIsAnsweredNothingAndIsNoFaultInTheLog() throws Exception {
    MockHttpServletResponse answer = answer("/v2/gone");

    assertThat(answer.getContentAsString()).isEmpty();
    assertThat(answer.getForwardedUrl()).isNull();
    assertThat(log.list).noneMatch(line -> line.getLevel().isGreaterOrEqual(Level.INFO));
  }

  @Test
  void anotherFailureToWriteIsAFaultWithItsIdInTheLog() throws Exception {
    MockHttpServletResponse answer = answer("/v2/fault");

    assertThat(answer.getStatus()).isEqualTo(500);
    assertThat(answer.getContentAsString()).contains("error-1").doesNotContain("disk");
    assertThat(log.list)
        .anySatisfy(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.ERROR);
              assertThat(line.getFormattedMessage()).startsWith("error-1 ");
            });
  }
}
