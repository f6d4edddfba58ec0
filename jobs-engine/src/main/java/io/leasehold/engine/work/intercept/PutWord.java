package io.leasehold.engine.work.intercept;

import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes trace fields into a job's metadata. */
enum PutWord implements TextMapSetter<Map<String, String>> {
  INSTANCE;

  @Override
  public void set(@Nullable Map<String, String> words, String name, String value) {
    if (words != null) {
      words.put(name, value);
    }
  }
}
