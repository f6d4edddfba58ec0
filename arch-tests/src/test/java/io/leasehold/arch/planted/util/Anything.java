package io.leasehold.arch.planted.util;

/** Could be anywhere. */
public interface Anything {}
