package io.leasehold.db.scope;

import static io.leasehold.db.Acme.ANN;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.jooq.impl.DSL.selectOne;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.jooq.ExecuteContext;
import org.jooq.RenderContext;
import org.jooq.VisitContext;
import org.jooq.VisitListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The listener that approves statements is in reach of a module, and approves jOOQ's work alone.
 */
class ForgedApprovalTest {

  private static final String FOREIGN_ROWS = "select tenant_id from acme.orders";

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  @Test
  void aModulesOwnVisitApprovesNothing() {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        Acme.of(ANN),
                        tx -> {
                          listener(tx).visitEnd(forged(tx));
                          return tx.dsl().configuration().connectionProvider().acquire();
                        }))
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.STATEMENT_REFUSED);
  }

  @Test
  void anotherConfigurationCannotBecomeTheTransactionsOwn() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        Acme.of(ANN),
                        tx -> {
                          ((ScopeStatements) listener(tx)).require(tx.dsl().configuration());
                          return 1;
                        }));
  }

  private static VisitListener listener(ScopedTransaction tx) {
    return tx.dsl().configuration().visitListenerProviders()[0].provide();
  }

  private static VisitContext forged(ScopedTransaction tx) {
    var execute = answering(ExecuteContext.class, Map.of());
    var render =
        answering(RenderContext.class, Map.of("render", FOREIGN_ROWS, "executeContext", execute));
    return answering(
        VisitContext.class,
        Map.of(
            "queryPart",
            selectOne(),
            "queryPartsLength",
            1,
            "renderContext",
            render,
            "context",
            render,
            "configuration",
            tx.dsl().configuration()));
  }

  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> answers.get(method.getName())));
  }
}
