package io.leasehold.proofs.explore;

import io.leasehold.proofs.explore.Gates.Wait;
import io.leasehold.proofs.explore.Operation.Role;
import io.leasehold.proofs.explore.Session.State;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs operations on one job side by side, each in a session of its own that takes a step when it
 * is its turn. One that waits for another's lock stays behind until that one ends.
 */
final class Explorer implements AutoCloseable {

  private static final int SLOTS = 3;
  private static final int ATTEMPTS = 5;
  private static final Duration STUCK = Duration.ofSeconds(20);

  private final Board board;
  private final Gates gates;
  private final List<Map<Role, Session>> slots = new ArrayList<>();
  private int parted;

  Explorer(TestDatabase database) throws SQLException {
    board = new Board(database.connectAsAdministrator());
    gates = new Gates(database.connectAsAdministrator(), SLOTS);
    for (var slot = 0; slot < SLOTS; slot++) {
      Map<Role, Session> sessions = new EnumMap<>(Role.class);
      for (var role : Role.values()) {
        var session = new Session(database.connectAs(role.word()), database);
        session.set("statement_timeout", "5s"); // What takes longer goes round in circles.
        sessions.put(role, session);
      }
      slots.add(sessions);
    }
  }

  /**
   * How closely to look.
   *
   * @param inside whether sessions stop inside of statements and functions as well
   * @param betweenRows whether they stop between the rows of a statement
   */
  record Depth(boolean inside, boolean betweenRows) {
    static final Depth TRANSACTIONS = new Depth(false, false);
    static final Depth STATEMENTS = new Depth(true, false);
    static final Depth ROWS = new Depth(true, true);
  }

  /**
   * Runs them in one order after the other. Answers how many orders there were. Orders that could
   * not be repeated must be rare, because what lies behind them may be left out.
   */
  int explore(
      Start start,
      List<Operation> operations,
      Depth depth,
      Choices choices,
      Consumer<Outcome> visitor)
      throws SQLException, InterruptedException {
    var orders = 0;
    parted = 0;
    do {
      visitor.accept(run(start, operations, depth, choices));
      orders++;
    } while (choices.next());
    if (parted > 1 + orders / 100) {
      throw new IllegalStateException(
          "%d of %d orders could not be repeated".formatted(parted, orders));
    }
    return orders;
  }

  // On a busy machine a session may be late, and have a way part from what it was before. If the
  // machine was busy when the way was first found, it parts each time.
  private Outcome run(Start start, List<Operation> operations, Depth depth, Choices choices)
      throws SQLException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      var run = new Run(start, operations, depth, choices);
      try {
        return run.run();
      } catch (Choices.Diverged e) {
        if (attempt < ATTEMPTS) {
          choices.again();
        } else {
          choices.adapt();
          parted++;
        }
      } finally {
        run.leave(); // Else its transactions would be in the way of all that come.
      }
    }
  }

  /** One order. */
  private final class Run {

    private final Start start;
    private final List<Operation> operations;
    private final Choices choices;
    private final Target target;
    private final List<Session> sessions = new ArrayList<>();
    private final List<String> order = new ArrayList<>();
    private final Set<Integer> begun = new HashSet<>();
    private final Set<Integer> atGate = new HashSet<>();
    private List<String> history = List.of();
    private long ended = -1;
    private boolean grown = true;

    private Run(Start start, List<Operation> operations, Depth depth, Choices choices)
        throws SQLException {
      this.start = start;
      this.operations = operations;
      this.choices = choices;
      var first = board.put(start);
      this.target = depth.betweenRows() ? first.with(board.add(start)) : first;
      for (var slot = 0; slot < operations.size(); slot++) {
        var session = session(slot, operations.get(slot).role());
        gates.watch(slot, session, depth.inside(), depth.betweenRows());
        sessions.add(session);
      }
    }

    private Session session(int slot, Role role) {
      var session = slots.get(slot).get(role);
      if (session == null) {
        throw new IllegalStateException("there is no session for " + role);
      }
      return session;
    }

    private Outcome run() throws SQLException, InterruptedException {
      var deadline = System.nanoTime() + STUCK.toNanos();
      while (!isOver()) {
        var ready = ready();
        if (!ready.isEmpty()) {
          step(ready.get(choices.choose(ready.size())));
        }
        settle();
        follow();
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("%s from %s is stuck".formatted(order, start));
        }
      }
      var answers = new ArrayList<Answer>();
      for (var slot = 0; slot < sessions.size(); slot++) {
        answers.add(new Answer(operations.get(slot), sessions.get(slot).answer()));
      }
      return new Outcome(start, order, answers, board.look(target), grown);
    }

    // Lets all go on to their ends.
    private void leave() throws SQLException, InterruptedException {
      var deadline = System.nanoTime() + STUCK.toNanos();
      while (!areDone() && System.nanoTime() - deadline < 0) {
        for (var slot : begun) {
          if (atGate.remove(slot)) {
            gates.open(slot);
          } else if (sessions.get(slot).look(0) == State.PAUSED) {
            sessions.get(slot).goOn();
          }
        }
        settle();
      }
    }

    // Reads the history whenever an operation has ended. A job that was deleted has none.
    private void follow() throws SQLException, InterruptedException {
      var now = ended();
      if (now == ended) {
        return;
      }
      ended = now;
      var seen = board.history(target);
      if (seen.isPresent() && !seen.get().isEmpty()) {
        grown &=
            seen.get().size() >= history.size()
                && seen.get().subList(0, history.size()).equals(history);
        history = seen.get();
      }
    }

    private long ended() throws InterruptedException {
      var count = 0;
      for (var slot : begun) {
        count += sessions.get(slot).look(0) == State.DONE ? 1 : 0;
      }
      return count;
    }

    private boolean isOver() throws InterruptedException {
      return begun.size() == sessions.size() && areDone();
    }

    private boolean areDone() throws InterruptedException {
      return ended() == begun.size();
    }

    private List<Integer> ready() throws InterruptedException {
      var ready = new ArrayList<Integer>();
      for (var slot = 0; slot < sessions.size(); slot++) {
        if (!begun.contains(slot)
            || atGate.contains(slot)
            || sessions.get(slot).look(0) == State.PAUSED) {
          ready.add(slot);
        }
      }
      return ready;
    }

    private void step(int slot) throws SQLException {
      var operation = operations.get(slot);
      var session = sessions.get(slot);
      order.add(operation.name());
      if (begun.add(slot)) {
        session.start(
            () -> operation.body().run(new SteppedTransactions(session, operation), target));
      } else if (atGate.remove(slot)) {
        gates.open(slot);
      } else {
        session.goOn();
      }
    }

    // Until each has stopped, is done, or waits for another that has stopped. If each waits, the
    // server ends one of them.
    private void settle() throws SQLException, InterruptedException {
      var running = new ArrayList<Integer>();
      do {
        running.clear();
        for (var slot : begun) {
          if (!atGate.contains(slot)
              && sessions.get(slot).look(Session.moment()) == State.RUNNING) {
            running.add(slot);
          }
        }
      } while (!running.isEmpty() && !areWaiting(running));
    }

    private boolean areWaiting(List<Integer> running) throws SQLException {
      var waits = gates.waits(running.stream().map(sessions::get).toList());
      var all = true;
      for (var slot : running) {
        var wait = waits.get(sessions.get(slot).pid());
        if (wait == Wait.GATE) {
          atGate.add(slot);
        }
        // What gives up is not left behind: it goes on by itself.
        all &= wait != Wait.NOTHING && !(wait == Wait.OTHER && operations.get(slot).givesUp());
      }
      return all;
    }
  }

  @Override
  public void close() throws SQLException {
    for (var sessions : slots) {
      for (var session : sessions.values()) {
        session.close();
      }
    }
    gates.close();
    board.close();
  }
}
