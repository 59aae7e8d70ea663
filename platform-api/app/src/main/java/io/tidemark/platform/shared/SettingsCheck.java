package io.tidemark.platform.shared;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;

/**
 * Binds and checks every {@link ValidatedSettings} before other beans exist. Without it a wrong
 * setting would show one at a time, as whatever bean happens to fail first.
 */
class SettingsCheck implements BeanFactoryPostProcessor, EnvironmentAware {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)[:}]");

  private @Nullable Environment environment;

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
    List<String> faults = new ArrayList<>();
    for (String name : beanFactory.getBeanNamesForType(ValidatedSettings.class, true, false)) {
      Class<?> type = beanFactory.getType(name, false);
      ConfigurationProperties properties =
          type == null ? null : AnnotationUtils.findAnnotation(type, ConfigurationProperties.class);
      if (type != null && properties != null) {
        faults.addAll(
            faultsOf(
                binder ->
                    ((ValidatedSettings)
                            binder.bindOrCreate(properties.prefix(), Bindable.of(type)))
                        .faults()));
      }
    }
    faults.addAll(faultsOf(SettingsCheck::faultsOfTheServer));
    if (!faults.isEmpty()) {
      throw new InvalidSettingsException(faults);
    }
  }

  /** Spring's own setting, but one that everybody sets. */
  private static List<String> faultsOfTheServer(Binder binder) {
    int port = binder.bind("server.port", Integer.class).orElse(0);
    return port < 0 || port > 65_535
        ? List.of("SERVER_PORT must be a port, 0 to 65535")
        : List.of();
  }

  /** A setting of the wrong form is a fault, and left out to see what else there is. */
  private List<String> faultsOf(Function<Binder, List<String>> check) {
    List<String> faults = new ArrayList<>();
    Set<ConfigurationPropertyName> leftOut = new HashSet<>();
    while (true) {
      try {
        faults.addAll(check.apply(binderWithout(leftOut)));
        return faults;
      } catch (BindException wrongForm) {
        faults.add(
            nameOf(wrongForm)
                + " cannot be read as "
                + Objects.requireNonNull(wrongForm.getTarget().getType().resolve())
                    .getSimpleName());
        if (!leftOut.add(wrongForm.getName())) {
          return faults;
        }
      }
    }
  }

  private Binder binderWithout(Set<ConfigurationPropertyName> leftOut) {
    Environment given = Objects.requireNonNull(environment);
    List<ConfigurationPropertySource> sources = new ArrayList<>();
    ConfigurationPropertySources.get(given)
        .forEach(source -> sources.add(source.filter(name -> !leftOut.contains(name))));
    return new Binder(sources, new PropertySourcesPlaceholdersResolver(given));
  }

  /** The variable that application.yaml takes it from, if it was not set otherwise. */
  private static String nameOf(BindException wrongForm) {
    ConfigurationProperty property = wrongForm.getProperty();
    if (property == null) {
      return wrongForm.getName().toString();
    }
    Matcher variable = VARIABLE.matcher(String.valueOf(property.getValue()));
    return variable.lookingAt()
        ? variable.group(1)
        : property.getName() + " (" + property.getOrigin() + ")";
  }
}
