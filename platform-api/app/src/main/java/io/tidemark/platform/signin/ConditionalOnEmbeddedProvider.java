package io.tidemark.platform.signin;

import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;

/** Only when Tidemark's own provider vouches for people. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnRole(ProcessRole.CONTROL)
@ConditionalOnExpression("'${tidemark.sign-in.provider:embedded}'.toLowerCase() == 'embedded'")
public @interface ConditionalOnEmbeddedProvider {}
