package io.tidemark.platform.signin;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;

/** Only when people can sign in. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnExpression("'${tidemark.sign-in.provider:embedded}'.toLowerCase() != 'off'")
public @interface ConditionalOnSignIn {}
