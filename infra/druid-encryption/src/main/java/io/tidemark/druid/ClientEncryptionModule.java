package io.tidemark.druid;

import com.google.inject.Binder;
import com.google.inject.Inject;
import com.google.inject.Provider;
import java.lang.annotation.Annotation;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.apache.druid.guice.JsonConfigProvider;
import org.apache.druid.guice.LazySingleton;
import org.apache.druid.guice.annotations.Client;
import org.apache.druid.guice.annotations.EscalatedClient;
import org.apache.druid.guice.annotations.EscalatedGlobal;
import org.apache.druid.guice.annotations.Global;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.server.security.TLSCertificateChecker;

/** Binds what Druid's own HTTP clients show and trust; found on the classpath. */
public final class ClientEncryptionModule implements DruidModule {
  @Override
  public void configure(Binder binder) {
    JsonConfigProvider.bind(binder, "druid.client.https", ClientEncryption.class);
    binder.bind(SSLContext.class).toProvider(Context.class).in(LazySingleton.class);
    // Druid has a client for each purpose, and asks for the context of that one.
    for (Class<? extends Annotation> purpose :
        List.of(Global.class, EscalatedGlobal.class, Client.class, EscalatedClient.class)) {
      binder.bind(SSLContext.class).annotatedWith(purpose).to(SSLContext.class);
    }
  }

  /** The one context of a process. */
  static final class Context implements Provider<SSLContext> {
    private final ClientEncryption settings;
    private final TLSCertificateChecker checker;

    @Inject
    Context(ClientEncryption settings, TLSCertificateChecker checker) {
      this.settings = settings;
      this.checker = checker;
    }

    @Override
    public SSLContext get() {
      return settings.context(checker);
    }
  }
}
