package io.leasehold.engine.work.intercept;

import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads trace fields from a job's metadata. */
enum GetWord implements TextMapGetter<Map<String, String>> {
  INSTANCE;

  @Override
  public @Nullable String get(@Nullable Map<String, String> words, String name) {
    return words == null ? null : words.get(name);
  }
}
