package io.leasehold.rest.problem;

/** A problem as it is sent: {@code application/problem+json}. */
public final class ProblemText {

  /** Its media type. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private ProblemText() {}

  /**
   * Writes a problem. Whatever a bad token looks like, the answer is the same to the byte: there
   * the trace id stands in a header alone.
   */
  public static String of(RequestRefusal refusal, String traceId) {
    var problem = refusal.problem();
    var text = new StringBuilder(200);
    text.append("{\"type\":\"").append(problem.type());
    text.append("\",\"title\":\"").append(problem.title());
    text.append("\",\"status\":").append(problem.status());
    // All of it is ours and holds no character that JSON would write otherwise.
    refusal.detail().ifPresent(it -> text.append(",\"detail\":\"").append(it).append('"'));
    if (problem != Problem.UNAUTHENTICATED) {
      text.append(",\"trace_id\":\"").append(traceId).append('"');
    }
    return text.append('}').toString();
  }
}
