package io.tidemark.platform.shared;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;

/**
 * Binds and checks every {@link CheckedSettings} before other beans exist. Without it a wrong
 * setting would show one at a time, as whatever bean happens to fail first.
 */
class SettingsCheck implements BeanFactoryPostProcessor, EnvironmentAware {

  private Environment environment;

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
    Binder binder = Binder.get(environment);
    List<String> faults = new ArrayList<>();
    for (String name : beanFactory.getBeanNamesForType(CheckedSettings.class, true, false)) {
      Class<?> type = beanFactory.getType(name, false);
      ConfigurationProperties properties =
          type == null ? null : AnnotationUtils.findAnnotation(type, ConfigurationProperties.class);
      if (properties != null) {
        faults.addAll(faultsOf(binder, properties.prefix(), type));
      }
    }
    if (!faults.isEmpty()) {
      throw new InvalidSettingsException(faults);
    }
  }

  private static List<String> faultsOf(Binder binder, String prefix, Class<?> type) {
    try {
      return ((CheckedSettings) binder.bindOrCreate(prefix, Bindable.of(type))).faults();
    } catch (BindException wrongForm) {
      String name =
          wrongForm.getProperty() == null
              ? wrongForm.getName().toString()
              : wrongForm.getProperty().getName()
                  + " ("
                  + wrongForm.getProperty().getOrigin()
                  + ")";
      return List.of(
          name + " cannot be read as " + wrongForm.getTarget().getType().resolve().getSimpleName());
    }
  }
}
