package io.leasehold.arch.planted.wired;

/**
 * What the parts are given.
 *
 * @param size how large they are
 */
public record Settings(int size) {}
