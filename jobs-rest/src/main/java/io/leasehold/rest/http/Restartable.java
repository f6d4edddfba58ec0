package io.leasehold.rest.http;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** Of a job service: the one that knows restartable jobs alone, and none in a memory. */
@Qualifier
@Retention(RUNTIME)
@Target({PARAMETER, METHOD})
public @interface Restartable {}
