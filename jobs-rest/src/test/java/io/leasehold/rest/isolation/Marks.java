package io.leasehold.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.TenantId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Whose each word is that one tenant alone may see: canaries, ids of tenants, and ids of jobs. Safe
 * to share between threads.
 */
final class Marks {

  private static final Pattern MARK =
      Pattern.compile("canary[0-9a-f]{16}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final Map<String, TenantId> owners = new ConcurrentHashMap<>();

  void add(TenantId owner, String mark) {
    owners.put(mark, owner);
  }

  /**
   * Checks a text that a tenant was sent.
   *
   * @param asked a word that it brought along itself
   * @throws AssertionError if something in it is another's
   */
  void check(Tenant reader, String asked, String text) {
    var foreign =
        MARK.matcher(text)
            .results()
            .map(MatchResult::group)
            .filter(mark -> !mark.equals(asked))
            .filter(mark -> !owners.getOrDefault(mark, reader.id()).equals(reader.id()))
            .toList();
    assertThat(foreign).as("what %s saw of others in %s", reader.canary(), text).isEmpty();
  }
}
