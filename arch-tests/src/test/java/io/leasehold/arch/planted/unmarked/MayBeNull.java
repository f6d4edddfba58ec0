package io.leasehold.arch.planted.unmarked;

/** Stands in a package without a package-info. */
public interface MayBeNull {}
