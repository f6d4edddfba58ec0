package io.leasehold.rest.program;

import io.leasehold.rest.issuer.DevelopmentIssuer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns that tokens of the development issuer are accepted, so that operators do not overlook it.
 */
final class DevelopmentWarning {

  private static final Logger log = LoggerFactory.getLogger(DevelopmentWarning.class);

  private DevelopmentWarning() {}

  static void give(DevelopmentIssuer issuer) {
    log.warn(
        """
        THE DEVELOPMENT ISSUER IS ON
          This process takes tokens that were signed with the key in
            {}
          Anyone who has this file can make tokens for any tenant, with any role.
          Never in production: switch it off with LEASEHOLD_DEV_ISSUER=off.\
        """
            .stripTrailing(),
        issuer.keyFile());
  }
}
