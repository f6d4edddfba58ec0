package io.leasehold.bench;

/**
 * The input that every contender stores with a job.
 *
 * @param number the number of the job
 * @param note some text as a payload
 */
public record Payload(int number, String note) {

  private static final String NOTE = "a few words, as a job may have them";
  private static final String BEGIN = "{\"number\":";

  /** Creates the payload of a job. */
  public static Payload of(int number) {
    return new Payload(number, NOTE);
  }

  /** Returns the payload as JSON. */
  public String json() {
    return BEGIN + number + ",\"note\":\"" + note + "\"}";
  }

  /** Reads the number from the result of {@link #json}. */
  public static int number(String json) {
    var begin = json.indexOf(':') + 1;
    var end = json.indexOf(',', begin);
    return Integer.parseInt(json, begin, end, 10);
  }
}
