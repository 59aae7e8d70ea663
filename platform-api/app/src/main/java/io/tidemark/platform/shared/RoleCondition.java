package io.tidemark.platform.shared;

import java.util.Arrays;
import java.util.Set;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Compares the roles and the region that something is for with those of this process. */
class RoleCondition implements Condition {

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata annotated) {
    Set<ProcessRole> here =
        ProcessRole.named(context.getEnvironment().getProperty("tidemark.roles", ""));
    boolean isSecondRegion = !context.getEnvironment().getProperty("tidemark.region", "").isBlank();
    return annotated.getAnnotations().stream(ConditionalOnRole.class)
        .allMatch(
            found ->
                (isSecondRegion && found.getBoolean("orInSecondRegion"))
                    || Arrays.stream(found.getEnumArray("value", ProcessRole.class))
                        .anyMatch(here::contains));
  }
}
