package io.leasehold.bench;

/**
 * What every contender stores with a job.
 *
 * @param number of the job
 * @param note something to carry
 */
public record Payload(int number, String note) {

  private static final String NOTE = "a few words, as a job may have them";
  private static final String BEGIN = "{\"number\":";

  /** That of a job. */
  public static Payload of(int number) {
    return new Payload(number, NOTE);
  }

  /** As JSON. */
  public String json() {
    return BEGIN + number + ",\"note\":\"" + note + "\"}";
  }

  /** The number in what {@link #json} wrote. */
  public static int number(String json) {
    var begin = json.indexOf(':') + 1;
    var end = json.indexOf(',', begin);
    return Integer.parseInt(json, begin, end, 10);
  }
}
