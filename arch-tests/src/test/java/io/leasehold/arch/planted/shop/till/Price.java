package io.leasehold.arch.planted.shop.till;

/**
 * What other modules may use by the side door.
 *
 * @param cents the price
 */
public record Price(int cents) {}
