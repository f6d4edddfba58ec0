package io.leasehold.arch.planted;

import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultDSLContext;

/** Ways around the scoped DSL. */
public final class DslUse {

  private DslUse() {}

  public static final class MakesItsOwn {
    DSLContext own() {
      return DSL.using(SQLDialect.POSTGRES);
    }
  }

  public static final class MakesTheImplementation {
    DSLContext own() {
      return new DefaultDSLContext(SQLDialect.POSTGRES);
    }
  }

  public static final class ReachesTheConnection {
    void reach(DSLContext tx) {
      tx.connection(connection -> connection.close());
    }
  }

  public static final class ReachesTheConnectionForResult {
    int reach(DSLContext tx) {
      return tx.connectionResult(connection -> connection.hashCode());
    }
  }

  public static final class Parses {
    Object parse(DSLContext tx) {
      return tx.parser();
    }
  }

  public static final class DerivesConfiguration {
    DSLContext unscoped(DSLContext tx) {
      return tx.configuration().derive(SQLDialect.POSTGRES).dsl();
    }
  }

  public static final class Configures {
    Object configuration() {
      return new DefaultConfiguration();
    }
  }

  /** The clean twin. */
  public static final class TakesTheScopedOne {
    int count(DSLContext tx) {
      return tx.selectOne().fetch().size();
    }
  }
}
