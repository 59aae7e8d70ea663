package io.tidemark.platform.shared;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Is there only in processes that have one of the roles. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(RoleCondition.class)
public @interface ConditionalOnRole {
  /** The roles, of which one is enough. */
  ProcessRole[] value();

  /** Whether it is also there in every process of a second region. */
  boolean orInSecondRegion() default false;
}
