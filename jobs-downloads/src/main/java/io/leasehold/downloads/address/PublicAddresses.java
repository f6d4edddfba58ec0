package io.leasehold.downloads.address;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/** Which addresses are of the open internet: the registries of special ones, left out. */
final class PublicAddresses {

  /** Of version 4 all but these. */
  private final List<Network> special4 =
      networks(
          "0.0.0.0/8", // this network
          "10.0.0.0/8", // private
          "100.64.0.0/10", // shared by carriers
          "127.0.0.0/8", // loopback
          "168.63.129.16/32", // public by its number, but Azure's own in each of its networks
          "169.254.0.0/16", // link-local, where clouds have their metadata
          "172.16.0.0/12", // private
          "192.0.0.0/24", // protocols
          "192.0.2.0/24", // documents
          "192.88.99.0/24", // relays to version 6
          "192.168.0.0/16", // private
          "198.18.0.0/15", // measurements
          "198.51.100.0/24", // documents
          "203.0.113.0/24", // documents
          "224.0.0.0/4", // multicast
          "240.0.0.0/4"); // reserved, and broadcast

  /** Of version 6 these, which leaves out loopback, private, link-local, multicast and mapped. */
  private final Network global6 = Network.of("2000::/3");

  /** But for these. */
  private final List<Network> special6 =
      networks(
          "2001::/23", // protocols, Teredo among them, which has an address of version 4 in it
          "2001:db8::/32", // documents
          "2002::/16", // an address of version 4 in it
          "3fff::/20"); // documents

  boolean has(InetAddress address) {
    return address instanceof Inet4Address
        ? special4.stream().noneMatch(its -> its.has(address))
        : global6.has(address) && special6.stream().noneMatch(its -> its.has(address));
  }

  private static List<Network> networks(String... all) {
    return Stream.of(all).map(Network::of).toList();
  }
}
