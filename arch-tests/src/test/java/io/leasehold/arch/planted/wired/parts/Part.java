package io.leasehold.arch.planted.wired.parts;

import io.leasehold.arch.planted.wired.Settings;

/**
 * Uses the front door of its own module.
 *
 * @param settings what it is given
 */
public record Part(Settings settings) {}
