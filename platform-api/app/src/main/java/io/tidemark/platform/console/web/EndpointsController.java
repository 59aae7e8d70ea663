package io.tidemark.platform.console.web;

import io.tidemark.contracts.controlapi.EndpointsApi;
import io.tidemark.contracts.controlapi.model.Endpoints;
import io.tidemark.platform.console.EndpointSettings;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Answers where senders of this installation send to. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class EndpointsController implements EndpointsApi {

  private final EndpointSettings settings;

  EndpointsController(EndpointSettings settings) {
    this.settings = settings;
  }

  @Override
  public ResponseEntity<Endpoints> getEndpoints() {
    return ResponseEntity.ok(
        new Endpoints(
            settings.otlpHttpUrl(),
            settings.otlpGrpcAddress(),
            settings.remoteWriteUrl(),
            settings.kafkaBootstrap()));
  }
}
