package io.leasehold.engine.work.handlers;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobKind;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.WhenLost;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The handlers of this process, by id. Handlers of stored jobs are kept apart from handlers of
 * in-memory jobs, since no other process can have jobs for the latter. Immutable.
 */
public final class HandlerRegistry {

  private final Map<String, RegisteredHandler<?, ?>> handlers;
  private final Map<HandlerId, RegisteredHandler<?, ?>> inMemory;

  /**
   * Collects the handlers.
   *
   * @throws IllegalArgumentException if two have the same id
   */
  public HandlerRegistry(Collection<RegisteredHandler<?, ?>> registered) {
    var byId = new HashMap<HandlerId, RegisteredHandler<?, ?>>();
    for (var handler : registered) {
      if (byId.put(handler.type().handler(), handler) != null) {
        throw new IllegalArgumentException(
            "handler %s is registered twice".formatted(handler.type().handler()));
      }
    }
    this.inMemory = Map.copyOf(of(JobKind.IN_MEMORY, byId));
    this.handlers =
        of(JobKind.RESTARTABLE, byId).entrySet().stream()
            .collect(toUnmodifiableMap(entry -> entry.getKey().value(), Map.Entry::getValue));
  }

  private static Map<HandlerId, RegisteredHandler<?, ?>> of(
      JobKind kind, Map<HandlerId, RegisteredHandler<?, ?>> all) {
    return all.entrySet().stream()
        .filter(entry -> entry.getValue().type().kind() == kind)
        .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Returns the handlers of in-memory jobs. */
  public Map<HandlerId, RegisteredHandler<?, ?>> inMemory() {
    return inMemory;
  }

  public Optional<RegisteredHandler<?, ?>> find(String id) {
    return Optional.ofNullable(handlers.get(id));
  }

  /** Returns the queues of the handlers' jobs, ordered by name. */
  public Set<String> queues() {
    return handlers.values().stream()
        .map(handler -> handler.type().queue())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the handlers whose jobs fail when their worker is lost during the last attempt. */
  public Set<HandlerId> failing() {
    return having(WhenLost.FAIL);
  }

  /** Returns the handlers whose jobs are adopted by another worker when their worker is lost. */
  public Set<HandlerId> adopting() {
    return having(WhenLost.ADOPT);
  }

  private Set<HandlerId> having(WhenLost whenLost) {
    return handlers.values().stream()
        .filter(handler -> handler.type().whenLost() == whenLost)
        .map(handler -> handler.type().handler())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the queue of each handler, by the handler's id. */
  public Map<HandlerId, String> queueOf() {
    return handlers.values().stream()
        .map(RegisteredHandler::type)
        .collect(Collectors.toUnmodifiableMap(JobType::handler, JobType::queue));
  }

  /** Returns the ids of all handlers. */
  public Set<HandlerId> ids() {
    return handlers.values().stream()
        .map(handler -> handler.type().handler())
        .collect(Collectors.toUnmodifiableSet());
  }
}
