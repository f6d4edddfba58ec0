package io.leasehold.rest.problem;

/** A problem as it is sent: {@code application/problem+json}. */
public final class ProblemText {

  /** The media type of a problem. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private ProblemText() {}

  /**
   * Writes a problem. For every bad token the response body is the same to the byte, so the trace
   * id is only in a header.
   */
  public static String of(RequestRefusal refusal, String traceId) {
    var problem = refusal.problem();
    var text = new StringBuilder(200);
    text.append("{\"type\":\"").append(problem.type());
    text.append("\",\"title\":\"").append(problem.title());
    text.append("\",\"status\":").append(problem.status());
    // The text is constant and has no character that JSON would escape.
    refusal.detail().ifPresent(it -> text.append(",\"detail\":\"").append(it).append('"'));
    if (problem != Problem.UNAUTHENTICATED) {
      text.append(",\"trace_id\":\"").append(traceId).append('"');
    }
    return text.append('}').toString();
  }
}
