package io.tidemark.platform.access.web;

import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.TenantId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A request with an API key. */
record ApiKeyCaller(Caller caller) implements RequestCaller {

  @Override
  public String countedAs() {
    return "organization " + caller.organization();
  }

  @Override
  public Identity identity() {
    return new Identity("api_key", Objects.requireNonNull(caller.keyId()), caller.organization());
  }

  @Override
  public Caller current() {
    return caller;
  }

  @Override
  public Optional<Caller> in(String organization) {
    return caller.organization().value().equals(organization)
        ? Optional.of(caller)
        : Optional.empty();
  }

  @Override
  public List<TenantId> organizations() {
    return List.of(caller.organization());
  }
}
