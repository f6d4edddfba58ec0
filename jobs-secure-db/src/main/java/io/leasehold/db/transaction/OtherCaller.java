package io.leasehold.db.transaction;

import io.leasehold.jobs.SecurityContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Describes why a caller cannot join another caller's transaction. */
record OtherCaller(SecurityContext outer, SecurityContext inner) {

  String inWords() {
    return outer.tenant().equals(inner.tenant())
        ? "a transaction for tenant %s runs on this thread; one with another %s cannot join it"
            .formatted(outer.tenant(), String.join(" and ", differences()))
        : "a transaction for tenant %s runs on this thread; one for tenant %s cannot join it"
            .formatted(outer.tenant(), inner.tenant());
  }

  private List<String> differences() {
    var differences = new ArrayList<String>();
    add(differences, "principal", SecurityContext::principal);
    add(differences, "set of readable tenants", SecurityContext::readableTenants);
    add(differences, "set of roles", SecurityContext::roles);
    add(differences, "correlation id", SecurityContext::correlationId);
    return differences.isEmpty() ? List.of("kind of context") : differences;
  }

  private void add(List<String> differences, String name, Function<SecurityContext, Object> part) {
    if (!part.apply(outer).equals(part.apply(inner))) {
      differences.add(name);
    }
  }
}
