package io.tidemark.platform.signin;

import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;

/** Only when people can sign in, and where they come with their sessions. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnRole({ProcessRole.CONTROL, ProcessRole.QUERY})
@ConditionalOnExpression("'${tidemark.sign-in.provider:embedded}'.toLowerCase() != 'off'")
public @interface ConditionalOnSignIn {}
