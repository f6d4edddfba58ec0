package io.leasehold.downloads.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.PermanentFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedAddressesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.168.255.255",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:10::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1"
      })
  void excludeSpecialPurposeAddresses(String address) {
    assertThatThrownBy(() -> among(List.of(), address).of("files.name"))
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("files.name is at no address that may be asked");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "223.255.255.255",
        "::ffff:1.1.1.1",
        "2001:200::1",
        "2606:4700:4700::1111",
        "2a00:1450:4001:830::200e"
      })
  void includePublicAddresses(String address) throws IOException {
    assertThat(among(List.of(), address).of("files.name"))
        .containsExactly(InetAddress.ofLiteral(address));
  }

  @Test
  void includeAddressesThatTheDeploymentAllows() throws IOException {
    var allowed = among(List.of("10.1.0.0/16", "fd00:1::/32"), "10.1.2.3", "fd00:1::5", "10.2.0.1");

    assertThat(allowed.of("files.name"))
        .containsExactly(InetAddress.ofLiteral("10.1.2.3"), InetAddress.ofLiteral("fd00:1::5"));
  }

  @Test
  void forbiddenAddressesOfANameAreLeftOut() throws IOException {
    assertThat(among(List.of(), "127.0.0.1", "1.1.1.1").of("files.name"))
        .containsExactly(InetAddress.ofLiteral("1.1.1.1"));
  }

  @Test
  void unknownNameIsATemporaryError() {
    var allowed =
        new AllowedAddresses(
            List.of(),
            name -> {
              throw new UnknownHostException(name);
            });

    assertThatThrownBy(() -> allowed.of("files.name"))
        .isInstanceOf(IOException.class)
        .hasMessage("files.name is not known at present");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0.0", "10.0.0.0/33", "fd00::/129", "name/8", "10.0/8", "/8"})
  void invalidNetworkIsRefused(String network) {
    assertThatThrownBy(() -> Network.of(network)).isInstanceOf(IllegalArgumentException.class);
  }

  private static AllowedAddresses among(List<String> networks, String... addresses) {
    return new AllowedAddresses(
        networks.stream().map(Network::of).toList(),
        name -> Stream.of(addresses).map(InetAddress::ofLiteral).toArray(InetAddress[]::new));
  }
}
