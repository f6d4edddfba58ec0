package io.leasehold.downloads.address;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Addresses with a common prefix, such as {@code 10.1.0.0/16} or {@code fd00::/8}.
 *
 * @param first the lowest address, in hexadecimal digits
 * @param bits the length of the prefix in bits
 */
public record Network(String first, int bits) {

  private static final Pattern TEXT =
      Pattern.compile(
          "([0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9a-fA-F]{0,4}:[0-9a-fA-F:]{1,38})/([0-9]{1,3})");

  /**
   * Parses a network.
   *
   * @throws IllegalArgumentException if the text is not a network
   */
  public static Network of(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a network must be as in 10.1.0.0/16 or fd00::/8, not '%s'".formatted(text));
    }
    var address = InetAddress.ofLiteral(parts.group(1)).getAddress();
    var bits = Integer.parseInt(parts.group(2));
    if (bits > address.length * Byte.SIZE) {
      throw new IllegalArgumentException(
          "a network must have up to %d bits in common, not '%s'"
              .formatted(address.length * Byte.SIZE, text));
    }
    return new Network(HexFormat.of().formatHex(address), bits);
  }

  /** Whether the network contains an address. */
  public boolean has(InetAddress address) {
    var other = address.getAddress();
    var mine = HexFormat.of().parseHex(first);
    return other.length == mine.length && Arrays.equals(masked(other), masked(mine));
  }

  private byte[] masked(byte[] address) {
    var masked = new byte[address.length];
    for (var i = 0; i < address.length; i++) {
      var left = Math.clamp(bits - i * (long) Byte.SIZE, 0, Byte.SIZE);
      masked[i] = (byte) (address[i] & (0xff << (Byte.SIZE - left)));
    }
    return masked;
  }
}
