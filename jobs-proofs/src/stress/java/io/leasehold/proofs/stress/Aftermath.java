package io.leasehold.proofs.stress;

import java.sql.SQLException;

/** What must hold after a storm, however it went. */
record Aftermath(Look look, Findings findings) {

  void judge() throws SQLException {
    none("jobs that did not succeed", "leasehold.outcome WHERE status <> 'succeeded'");
    none(
        "jobs that are in a queue still",
        "(SELECT id FROM leasehold.ready UNION ALL SELECT id FROM leasehold.scheduled"
            + " UNION ALL SELECT id FROM leasehold.lease) AS unfinished");
    judgeEffects();
    judgeFence();
    var lost = look.count("SELECT count(*) FROM leasehold.attempt WHERE status = 'lost'");
    findings.require(lost > 0, "some attempts were lost: %d".formatted(lost));
  }

  private void judgeEffects() throws SQLException {
    none(
        "ended transactional jobs without, or with a second effect",
        "leasehold.job JOIN leasehold.outcome USING (tenant_id, id)"
            + " WHERE handler_id LIKE '%.transactional.v1' AND 1 <>"
            + " (SELECT count(*) FROM stress.effect WHERE job_id = id)");
    none(
        "effects of transactional jobs that have not ended",
        "stress.effect WHERE kind = 'transactional' AND NOT EXISTS"
            + " (SELECT FROM leasehold.outcome WHERE id = job_id)");
    none(
        "ended plain jobs without an effect",
        "leasehold.job JOIN leasehold.outcome USING (tenant_id, id)"
            + " WHERE handler_id LIKE '%.plain.v1' AND 0 ="
            + " (SELECT count(*) FROM stress.effect WHERE job_id = id)");
  }

  // Each handler answers its token, and each effect has it.
  private void judgeFence() throws SQLException {
    none(
        "jobs ended with the result of another attempt than the one that held the lease",
        "leasehold.outcome WHERE result::text <> token::text");
    none(
        "transactional effects of another attempt than the one that ended the job",
        "stress.effect JOIN leasehold.outcome ON outcome.id = job_id"
            + " WHERE kind = 'transactional' AND effect.token <> outcome.token");
    none(
        "jobs that no effect's attempt has ended",
        "leasehold.outcome WHERE NOT EXISTS (SELECT FROM stress.effect"
            + " WHERE job_id = id AND effect.token = outcome.token)");
    none(
        "jobs ended by an attempt that was lost",
        "leasehold.outcome JOIN leasehold.attempt USING (tenant_id, id, token)"
            + " WHERE attempt.status = 'lost'");
  }

  private void none(String what, String from) throws SQLException {
    var count = look.count("SELECT count(*) FROM " + from);
    findings.require(count == 0, "no %s: %d".formatted(what, count));
  }
}
