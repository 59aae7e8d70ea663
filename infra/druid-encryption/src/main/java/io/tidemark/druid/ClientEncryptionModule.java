package io.tidemark.druid;

import com.google.inject.Binder;
import com.google.inject.Inject;
import com.google.inject.Provider;
import javax.net.ssl.SSLContext;
import org.apache.druid.guice.JsonConfigProvider;
import org.apache.druid.guice.LazySingleton;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.server.security.TLSCertificateChecker;

/** Binds what Druid's own HTTP clients show and trust; found on the classpath. */
public final class ClientEncryptionModule implements DruidModule {
  @Override
  public void configure(Binder binder) {
    JsonConfigProvider.bind(binder, "druid.client.https", ClientEncryption.class);
    binder.bind(SSLContext.class).toProvider(Context.class).in(LazySingleton.class);
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
