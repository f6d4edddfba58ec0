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
 * The handlers of this process, by their ids: those of stored jobs, and apart from them those of
 * jobs in memory, which no other process can have jobs for. Immutable.
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
            .collect(toUnmodifiableMap(its -> its.getKey().value(), Map.Entry::getValue));
  }

  private static Map<HandlerId, RegisteredHandler<?, ?>> of(
      JobKind kind, Map<HandlerId, RegisteredHandler<?, ?>> all) {
    return all.entrySet().stream()
        .filter(its -> its.getValue().type().kind() == kind)
        .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Those of jobs in memory. */
  public Map<HandlerId, RegisteredHandler<?, ?>> inMemory() {
    return inMemory;
  }

  public Optional<RegisteredHandler<?, ?>> find(String id) {
    return Optional.ofNullable(handlers.get(id));
  }

  /** The queues that the handlers' jobs wait in, in the order of their names. */
  public Set<String> queues() {
    return handlers.values().stream()
        .map(handler -> handler.type().queue())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The handlers whose jobs end when their worker is lost at the last attempt. */
  public Set<HandlerId> failing() {
    return having(WhenLost.FAIL);
  }

  /** The handlers whose jobs go on when their worker is lost. */
  public Set<HandlerId> adopting() {
    return having(WhenLost.ADOPT);
  }

  private Set<HandlerId> having(WhenLost whenLost) {
    return handlers.values().stream()
        .filter(handler -> handler.type().whenLost() == whenLost)
        .map(handler -> handler.type().handler())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The queue of each, by its id. */
  public Map<HandlerId, String> queueOf() {
    return handlers.values().stream()
        .map(RegisteredHandler::type)
        .collect(Collectors.toUnmodifiableMap(JobType::handler, JobType::queue));
  }

  /** The ids of all. */
  public Set<HandlerId> ids() {
    return handlers.values().stream()
        .map(handler -> handler.type().handler())
        .collect(Collectors.toUnmodifiableSet());
  }
}
