package io.leasehold.downloads.address;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Defines the public internet: all addresses except those in the registries of special-purpose
 * ones.
 */
final class PublicAddresses {

  /** In IPv4, all addresses but these are public. */
  private final List<Network> special4 =
      networks(
          "0.0.0.0/8", // this network
          "10.0.0.0/8", // private use
          "100.64.0.0/10", // shared by carriers
          "127.0.0.0/8", // loopback
          "168.63.129.16/32", // public by its number, but internal to each of Azure's networks
          "169.254.0.0/16", // link-local, where clouds serve their metadata
          "172.16.0.0/12", // private use
          "192.0.0.0/24", // protocol assignments
          "192.0.2.0/24", // documentation
          "192.88.99.0/24", // relays to IPv6
          "192.168.0.0/16", // private use
          "198.18.0.0/15", // benchmarks
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast
          "240.0.0.0/4"); // reserved, and broadcast

  /**
   * In IPv6, only these are public, which leaves out loopback, private, link-local, multicast and
   * mapped addresses.
   */
  private final Network global6 = Network.of("2000::/3");

  /** Exceptions from the public IPv6 addresses. */
  private final List<Network> special6 =
      networks(
          "2001::/23", // protocol assignments, including Teredo, which embeds IPv4 addresses
          "2001:db8::/32", // documentation
          "2002::/16", // embeds an IPv4 address
          "3fff::/20"); // documentation

  boolean has(InetAddress address) {
    return address instanceof Inet4Address
        ? special4.stream().noneMatch(network -> network.has(address))
        : global6.has(address) && special6.stream().noneMatch(network -> network.has(address));
  }

  private static List<Network> networks(String... all) {
    return Stream.of(all).map(Network::of).toList();
  }
}
