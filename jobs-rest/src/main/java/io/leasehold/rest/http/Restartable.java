package io.leasehold.rest.http;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** Qualifies the job service for restartable jobs only, without in-memory jobs. */
@Qualifier
@Retention(RUNTIME)
@Target({PARAMETER, METHOD})
public @interface Restartable {}
