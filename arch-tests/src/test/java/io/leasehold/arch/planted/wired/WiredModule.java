package io.leasehold.arch.planted.wired;

import com.google.inject.AbstractModule;
import io.leasehold.arch.planted.wired.parts.Part;

/** The clean twin of the ring: binds what uses the settings beside it. */
public final class WiredModule extends AbstractModule {

  @Override
  protected void configure() {
    bind(Part.class);
  }
}
