package io.leasehold.engine.isolation;

import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import io.leasehold.jobs.history.EventCursor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every method of the service that takes a job's id, whichever there are. */
final class EveryMethod {

  private EveryMethod() {}

  static List<Method> takingAnId() {
    return Arrays.stream(JobService.class.getMethods())
        .filter(method -> Arrays.asList(method.getParameterTypes()).contains(JobId.class))
        .sorted(Comparator.comparing(Method::toGenericString))
        .toList();
  }

  /** What each answers about a job, in its own transaction or one of the caller's. */
  static Map<String, String> answers(
      JobService jobs, Transactions transactions, SecurityContext caller, JobId job) {
    var answers = new LinkedHashMap<String, String>();
    for (var method : takingAnId()) {
      var answer =
          transactions.asTenant(caller, tx -> String.valueOf(call(jobs, method, caller, tx, job)));
      answers.put(method.toGenericString(), answer);
    }
    return answers;
  }

  private static @Nullable Object call(
      JobService jobs, Method method, SecurityContext caller, TenantTransaction tx, JobId job) {
    var arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> argument(type, caller, tx, job))
            .toArray();
    try {
      return method.invoke(jobs, arguments);
    } catch (InvocationTargetException e) {
      throw new AssertionError(method + " fails", e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static Object argument(
      Class<?> type, SecurityContext caller, TenantTransaction tx, JobId job) {
    if (type == SecurityContext.class) {
      return caller;
    }
    if (type == TenantTransaction.class) {
      return tx;
    }
    if (type == JobId.class) {
      return job;
    }
    if (type == Class.class) {
      return Object.class;
    }
    if (type == String.class) {
      return "canary"; // The name of metadata.
    }
    if (type == EventCursor.class) {
      return EventCursor.BEGIN;
    }
    if (type == Duration.class) {
      return Duration.ZERO;
    }
    if (type == Optional.class) {
      return Optional.empty();
    }
    if (type == int.class) {
      return 10;
    }
    throw new AssertionError("tell this test what to give as a " + type);
  }
}
