------------------------------ MODULE JobLease ------------------------------
(* How a job goes from place to place, what its workers believe meanwhile, and what can go wrong in
   between: answers that are lost or late, workers that freeze or die, leases that run out.

   Each action is one statement, or one transaction, as the database carries it out: atomic, for it
   locks the rows that it takes and looks at them again. What takes time stands in several actions:
   a message is sent, arrives, and is answered.

   Times are what remains of them, so that there is no end of time: a lease counts down from
   Lease + 1 to 0, when anybody may take it. A worker counts for itself, and a Tick passes for all.

   Jobs of WhenLost = "adopt" begin a run outside of their workers, which outlives them: an attempt
   goes on with the next worker, and its run is known by the token under which the attempt began.

   The constants from Fence on break the protocol, one at a time. *)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Workers, Jobs,
  Lease,       \* how long a lease is good for
  Margin,      \* how long before its end, by the worker's own count, a handler is told to stop
  LookEvery,   \* how late that may be noticed
  MaxToken, MaxLife,
  WhenLost,    \* what becomes of a job whose worker is lost or stops: "requeue" or "adopt"
  HasRuns,     \* whether handlers begin runs; with "adopt", and in SpecOfRuns
  Fence,       \* "token"; broken: "none", "state", "attempt"
  Recheck,     \* whether the reaper looks again at what it takes; broken: FALSE
  CountFrom,   \* a worker's view of its lease counts from the "send"; broken: the "answer"
  Resolve,     \* what tells a repeated flush that it was written: "ended"; broken: "none", "any"
  BeginChecks, \* whether a handler whose lease may be over is not begun; broken: FALSE
  Forgoes,     \* whether a worker that gave a lease back does not begin its job when the claim is
               \* answered after all; broken: FALSE
  RetryClears, \* whether a retry by hand clears requests to cancel; broken: FALSE
  Redraws,     \* whether a lease that loses its worker gets another token; broken: FALSE
  Keeps,       \* whether an attempt that is adopted keeps its number; broken: FALSE
  Notes,       \* when it is noted that a run may have been started: "before"; broken: "after",
               \* "never"
  Prepares     \* when the place of a run is made, without which it cannot be started: "before" that
               \* is noted; broken: "after"

VARIABLES
  job, ready, scheduled,  \* sets of jobs: the rows of these tables
  lease, outcome,         \* by job: its row, or that there is none
  attempt,                \* by job: tokens of attempts that ended, and how
  request,                \* by job: in which life its end was asked for, or 0
  attempts, life,         \* by job: counted attempts; how often it was queued by somebody
  drawn,                  \* the last token of the sequence
  seen,                   \* by job: the token of an expired lease that the reaper found, or 0
  inTx,                   \* whether handlers write their effect and the end in one transaction
  worker,                 \* by worker: what it knows
  effects,                \* by job: how often its effect was committed
  runs,                   \* by job: what there is of its runs
  wrong                   \* what must never happen, and did

vars == <<job, ready, scheduled, lease, outcome, attempt, request, attempts, life, drawn, seen,
          inTx, worker, effects, runs, wrong>>

Nobody == "nobody"
NoLease == [token |-> 0, worker |-> Nobody, attempt |-> 0, origin |-> 0, left |-> 0]
NoOutcome == [status |-> "none", token |-> 0]

\* In the database: noted, and which numbers their attempts had. With the runner: prepared, without
\* which none is started; made, which was started, and is not once more; alive; over. And how often
\* each was started, ever.
NoRuns == [noted |-> {}, numbers |-> {}, prepared |-> {}, made |-> {}, alive |-> {}, over |-> {},
           starts |-> [token \in 1..MaxToken |-> 0]]

\* state: idle, asking, granted, running, told, ending, committed
\* phase, of a handler of runs: none, clear, prepare, note, start, after, find, gone,
\* follow
\* renewal: none, sent, ok, lost      heard: what the database answered to a flush, not yet received
Idle == [state |-> "idle", job |-> 0, token |-> 0, attempt |-> 0, origin |-> 0, left |-> 0,
         age |-> 0, phase |-> "none", renewal |-> "none", kind |-> "none", heard |-> "none",
         wrote |-> FALSE, wake |-> "awake"]

Init ==
  /\ job = {} /\ ready = {} /\ scheduled = {}
  /\ lease = [j \in Jobs |-> NoLease] /\ outcome = [j \in Jobs |-> NoOutcome]
  /\ attempt = [j \in Jobs |-> {}] /\ request = [j \in Jobs |-> 0]
  /\ attempts = [j \in Jobs |-> 0] /\ life = [j \in Jobs |-> 0]
  /\ drawn = 0 /\ seen = [j \in Jobs |-> 0]
  /\ inTx \in (IF WhenLost = "adopt" THEN {FALSE} ELSE BOOLEAN)
  /\ worker = [x \in Workers |-> Idle]
  /\ effects = [j \in Jobs |-> 0] /\ runs = [j \in Jobs |-> NoRuns] /\ wrong = {}

Awake(x) == worker[x].wake # "frozen"
Leased(j) == lease[j] # NoLease
Its(x) == worker[x].job

\* What a statement asks of the lease before it changes anything.
Owns(x) ==
  LET held == lease[Its(x)] IN
  /\ Its(x) \in job
  /\ CASE Fence = "token" -> held.token = worker[x].token /\ held.worker = x
       [] Fence = "attempt" -> held # NoLease /\ held.attempt = worker[x].attempt
       [] Fence = "state" -> held # NoLease
       [] OTHER -> TRUE

Adopts == WhenLost = "adopt"

\* Attempts are counted only where that is what is compared.
Counted(n) == IF Fence = "attempt" \/ Adopts THEN n ELSE 0

IsStale(x) == lease[Its(x)].token # worker[x].token \/ lease[Its(x)].worker # x

If(condition, what) == IF condition THEN {what} ELSE {}

-----------------------------------------------------------------------------
\* What people do.

Submit(j) ==
  /\ life[j] = 0
  /\ job' = job \cup {j} /\ ready' = ready \cup {j} /\ life' = [life EXCEPT ![j] = 1]
  /\ UNCHANGED <<scheduled, lease, outcome, attempt, request, attempts, drawn, seen, inTx, worker,
                 effects, runs, wrong>>

CancelWaiting(j) ==
  /\ j \in ready \cup scheduled
  /\ ready' = ready \ {j} /\ scheduled' = scheduled \ {j}
  /\ outcome' = [outcome EXCEPT ![j] = [status |-> "cancelled", token |-> 0]]
  /\ wrong' = wrong \cup If(outcome[j] # NoOutcome, "final changed")
  /\ UNCHANGED <<job, lease, attempt, request, attempts, life, drawn, seen, inTx, worker, effects,
                 runs>>

CancelRunning(j) ==
  /\ Leased(j) /\ request[j] # life[j]
  /\ request' = [request EXCEPT ![j] = life[j]]
  /\ UNCHANGED <<job, ready, scheduled, lease, outcome, attempt, attempts, life, drawn, seen, inTx,
                 worker, effects, runs, wrong>>

RetryByHand(j) ==
  /\ outcome[j].status \in {"failed", "cancelled"} /\ life[j] < MaxLife
  /\ outcome' = [outcome EXCEPT ![j] = NoOutcome]
  /\ attempt' = [attempt EXCEPT ![j] = @ \cup If(outcome[j].token # 0,
                                                 <<outcome[j].token, "ended">>)]
  /\ request' = IF RetryClears THEN [request EXCEPT ![j] = 0] ELSE request
  /\ ready' = ready \cup {j}
  /\ attempts' = [attempts EXCEPT ![j] = 0] /\ life' = [life EXCEPT ![j] = @ + 1]
  /\ UNCHANGED <<job, scheduled, lease, drawn, seen, inTx, worker, effects, runs, wrong>>

Delete(j) ==
  /\ j \in job /\ ~Leased(j)
  /\ job' = job \ {j} /\ ready' = ready \ {j} /\ scheduled' = scheduled \ {j}
  /\ outcome' = [outcome EXCEPT ![j] = NoOutcome] /\ attempt' = [attempt EXCEPT ![j] = {}]
  /\ request' = [request EXCEPT ![j] = 0]
  /\ UNCHANGED <<lease, attempts, life, drawn, seen, inTx, worker, effects, runs, wrong>>

-----------------------------------------------------------------------------
\* What upkeep does.

BecomeDue(j) ==
  /\ j \in scheduled
  /\ scheduled' = scheduled \ {j} /\ ready' = ready \cup {j}
  /\ UNCHANGED <<job, lease, outcome, attempt, request, attempts, life, drawn, seen, inTx, worker,
                 effects, runs, wrong>>

FindExpired(j) ==
  /\ Leased(j) /\ lease[j].worker # Nobody /\ lease[j].left = 0 /\ seen[j] = 0
  /\ seen' = [seen EXCEPT ![j] = lease[j].token]
  /\ UNCHANGED <<job, ready, scheduled, lease, outcome, attempt, request, attempts, life, drawn,
                 inTx, worker, effects, runs, wrong>>

\* Between finding and taking, the lease may have been renewed, ended, or given to another.
Takes(j) ==
  LET its == lease[j] IN
  IF Recheck THEN its.token = seen[j] /\ its.left = 0 ELSE its # NoLease /\ its.worker # Nobody

Rescue(j, isOver) ==
  LET its == lease[j] IN
  /\ seen[j] # 0 /\ (Adopts => isOver)
  /\ seen' = [seen EXCEPT ![j] = 0]
  /\ IF Takes(j)
     THEN /\ lease' = [lease EXCEPT ![j] = NoLease]
          /\ attempt' = [attempt EXCEPT ![j] = @ \cup {<<its.token, "lost">>}]
          /\ attempts' = [attempts EXCEPT ![j] = its.attempt]
          /\ IF isOver
             THEN /\ outcome' = [outcome EXCEPT ![j] = [status |-> "failed", token |-> 0]]
                  /\ ready' = ready
             ELSE outcome' = outcome /\ ready' = ready \cup {j}
     ELSE UNCHANGED <<lease, attempt, attempts, outcome, ready>>
  /\ UNCHANGED <<job, scheduled, request, life, drawn, inTx, worker, effects, runs, wrong>>

\* The lease stays, under a token that nobody was given.
Orphaned(its) ==
  [its EXCEPT !.token = IF Redraws THEN drawn + 1 ELSE @, !.worker = Nobody, !.left = 0]

Orphan(j) ==
  /\ Adopts /\ seen[j] # 0 /\ drawn < MaxToken
  /\ seen' = [seen EXCEPT ![j] = 0]
  /\ IF Takes(j)
     THEN /\ drawn' = drawn + 1
          /\ lease' = [lease EXCEPT ![j] = Orphaned(@)]
          /\ attempt' = [attempt EXCEPT ![j] = @ \cup {<<lease[j].token, "lost">>}]
     ELSE UNCHANGED <<drawn, lease, attempt>>
  /\ UNCHANGED <<job, ready, scheduled, outcome, request, attempts, life, inTx, worker, effects,
                 runs, wrong>>

-----------------------------------------------------------------------------
\* A worker and its lease.

OnlyWorker == UNCHANGED <<job, ready, scheduled, lease, outcome, attempt, request, attempts, life,
                          drawn, seen, inTx, effects, runs, wrong>>

AskForJob(x) ==
  /\ worker[x].state = "idle"
  /\ worker' = [worker EXCEPT ![x] = [Idle EXCEPT !.state = "asking"]]
  /\ OnlyWorker

Gives(x, j, number, origin) ==
  /\ lease' = [lease EXCEPT ![j] = [token |-> drawn + 1, worker |-> x, attempt |-> number,
                                    origin |-> origin, left |-> Lease + 1]]
  /\ worker' = [worker EXCEPT ![x] = [@ EXCEPT !.state = "granted", !.job = j,
                                               !.token = drawn + 1, !.attempt = number,
                                               !.origin = origin]]
  /\ runs' = IF HasRuns THEN [runs EXCEPT ![j].numbers = @ \cup {<<origin, number>>}] ELSE runs

Claim(x, j) ==
  LET number == Counted(attempts[j] + 1) IN
  /\ worker[x].state = "asking" /\ j \in ready /\ drawn < MaxToken
  /\ drawn' = drawn + 1
  /\ ready' = ready \ {j}
  /\ Gives(x, j, number, IF Adopts THEN drawn + 1 ELSE 0)
  /\ UNCHANGED <<job, scheduled, outcome, attempt, request, attempts, life, seen, inTx, effects,
                 wrong>>

\* The same attempt, with another worker.
Adopt(x, j) ==
  LET its == lease[j] IN
  /\ worker[x].state = "asking" /\ Leased(j) /\ its.worker = Nobody /\ drawn < MaxToken
  /\ drawn' = drawn + 1
  /\ Gives(x, j, IF Keeps THEN its.attempt ELSE its.attempt + 1, its.origin)
  /\ UNCHANGED <<job, ready, scheduled, outcome, attempt, request, attempts, life, seen, inTx,
                 effects, wrong>>

View(x) == IF CountFrom = "send" THEN Lease - worker[x].age ELSE Lease
Latest == Margin - LookEvery

Begin(x) ==
  /\ worker[x].state = "granted" /\ Awake(x)
  /\ worker' = [worker EXCEPT ![x] =
       IF BeginChecks /\ View(x) <= Latest
       THEN Idle
       ELSE [@ EXCEPT !.state = "running", !.left = View(x), !.age = 0,
                      !.phase = IF HasRuns THEN "clear" ELSE "none"]]
  /\ OnlyWorker

GiveUp(j) ==
  IF Adopts
  THEN /\ drawn < MaxToken /\ drawn' = drawn + 1
       /\ lease' = [lease EXCEPT ![j] = Orphaned(@)]
       /\ UNCHANGED <<ready, attempts>>
  ELSE /\ lease' = [lease EXCEPT ![j] = NoLease]
       /\ ready' = ready \cup {j}
       /\ attempts' = [attempts EXCEPT ![j] = lease[j].attempt]
       /\ UNCHANGED drawn

\* A lease of its own that a worker has not heard of, for the answer to its claim is lost or late.
GiveBackUnknown(x, j) ==
  /\ lease[j].worker = x
  /\ \/ worker[x].state = "idle"
     \/ worker[x].state = "granted" /\ worker[x].age > 0 /\ worker[x].token = lease[j].token
  /\ GiveUp(j)
  /\ worker' = IF Forgoes THEN [worker EXCEPT ![x] = Idle] ELSE worker
  /\ UNCHANGED <<job, scheduled, outcome, attempt, request, life, seen, inTx, effects, runs, wrong>>

AskForRenewal(x) ==
  /\ worker[x].state = "running" /\ Awake(x) /\ worker[x].renewal = "none"
  /\ worker' = [worker EXCEPT ![x] = [@ EXCEPT !.renewal = "sent", !.age = 0]]
  /\ OnlyWorker

Renew(x) ==
  /\ worker[x].renewal = "sent"
  /\ IF Owns(x) /\ Leased(Its(x))
     THEN /\ lease' = [lease EXCEPT ![Its(x)].left = Lease + 1]
          /\ worker' = [worker EXCEPT ![x].renewal = "ok"]
          /\ wrong' = wrong \cup If(IsStale(x), "stale write")
     ELSE /\ worker' = [worker EXCEPT ![x].renewal = "lost"]
          /\ UNCHANGED <<lease, wrong>>
  /\ UNCHANGED <<job, ready, scheduled, outcome, attempt, request, attempts, life, drawn, seen,
                 inTx, effects, runs>>

\* Skipped because the row was locked, or never arrived, or its answer got lost.
RenewalFails(x) ==
  /\ worker[x].renewal # "none"
  /\ worker' = [worker EXCEPT ![x] = [@ EXCEPT !.renewal = "none", !.age = 0]]
  /\ OnlyWorker

\* What is over leaves nothing behind, so that states which differ in nothing are one.
Past(x, state) == [worker[x] EXCEPT !.state = state, !.renewal = "none", !.left = 0, !.age = 0,
                                    !.wake = "awake"]
Told(x) == Past(x, "told")

HearOfRenewal(x) ==
  /\ worker[x].renewal \in {"ok", "lost"} /\ Awake(x)
  /\ worker' = [worker EXCEPT ![x] =
       IF @.renewal = "ok"
       THEN [@ EXCEPT !.renewal = "none", !.left = View(x), !.age = 0]
       ELSE Told(x)]
  /\ OnlyWorker

TellToStop(x) ==
  /\ worker[x].state = "running" /\ Awake(x) /\ worker[x].left <= Margin
  /\ worker' = [worker EXCEPT ![x] = Told(x)]
  /\ OnlyWorker

Release(x) ==
  /\ worker[x].state \in {"running", "told"} /\ Awake(x)
  /\ worker' = [worker EXCEPT ![x] = Idle]
  /\ IF Owns(x)
     THEN GiveUp(Its(x)) /\ wrong' = wrong \cup If(IsStale(x), "stale write")
     ELSE UNCHANGED <<lease, ready, attempts, drawn, wrong>>
  /\ UNCHANGED <<job, scheduled, outcome, attempt, request, life, seen, inTx, effects, runs>>

-----------------------------------------------------------------------------
\* A run, as its handler sees to it. The runner asks for no lease: a handler that was told to stop,
\* and has not yet heard of it, may do each of these.

Runs(x) == runs[Its(x)]
Origin(x) == worker[x].origin
IsAt(x, phase) ==
  /\ worker[x].state \in {"running", "told"} /\ Awake(x) /\ worker[x].phase = phase
Goes(x, phase) == worker' = [worker EXCEPT ![x].phase = phase]

OnlyRuns == UNCHANGED <<job, ready, scheduled, lease, outcome, attempt, request, attempts, life,
                        drawn, seen, inTx, effects, wrong>>

\* Without these runs.
Without(its, gone) ==
  [its EXCEPT !.prepared = @ \ gone, !.made = @ \ gone, !.alive = @ \ gone, !.over = @ \ gone]

\* All that is left of former attempts; not once it is noted, for then that was done.
Clear(x) ==
  /\ IsAt(x, "clear")
  /\ Goes(x, CASE Notes # "never" /\ Origin(x) \in Runs(x).noted -> "find"
               [] Prepares = "before" -> "prepare"
               [] OTHER -> "note")
  /\ runs' = IF Notes = "before" /\ Origin(x) \in Runs(x).noted
             THEN runs
             ELSE [runs EXCEPT ![Its(x)] = Without(@, 1..(Origin(x) - 1))]
  /\ OnlyRuns

\* What there is already stays as it is.
Prepare(x) ==
  /\ IsAt(x, "prepare")
  /\ Goes(x, IF Prepares = "before" /\ Notes = "before" THEN "note" ELSE "start")
  /\ runs' = [runs EXCEPT ![Its(x)].prepared = @ \cup {Origin(x)}]
  /\ OnlyRuns

\* Under the fence. Whoever does it starts the run, and whoever comes later looks for it.
Note(x) ==
  /\ IsAt(x, "note") \/ IsAt(x, "after")
  /\ IF Owns(x)
     THEN /\ runs' = [runs EXCEPT ![Its(x)].noted = @ \cup {Origin(x)}]
          /\ Goes(x, IF worker[x].phase = "after" THEN "follow"
                     ELSE IF Prepares = "after" THEN "prepare" ELSE "start")
     ELSE worker' = [worker EXCEPT ![x] = Idle] /\ UNCHANGED runs
  /\ OnlyRuns

StartRun(x) ==
  LET its == Origin(x) IN
  /\ IsAt(x, "start") /\ Goes(x, IF Notes = "after" THEN "after" ELSE "follow")
  /\ runs' = IF its \notin Runs(x).prepared \/ its \in Runs(x).made
             THEN runs
             ELSE [runs EXCEPT ![Its(x)] =
                    [@ EXCEPT !.made = @ \cup {its}, !.alive = @ \cup {its}, !.starts[its] = @ + 1]]
  /\ OnlyRuns

FindRun(x) ==
  /\ IsAt(x, "find")
  /\ Goes(x, CASE Origin(x) \in Runs(x).made -> "follow"
               [] Origin(x) \in Runs(x).prepared -> "start"
               [] OTHER -> "gone")
  /\ UNCHANGED runs /\ OnlyRuns

RemoveRun(x) ==
  /\ IsAt(x, "gone") /\ Goes(x, "follow")
  /\ runs' = [runs EXCEPT ![Its(x)] = Without(@, {Origin(x)})]
  /\ OnlyRuns

RunEnds(j) ==
  /\ \E its \in runs[j].alive :
       runs' = [runs EXCEPT ![j] = [@ EXCEPT !.alive = @ \ {its}, !.over = @ \cup {its}]]
  /\ UNCHANGED worker /\ OnlyRuns

\* With its workers and its disk.
MachineIsLost ==
  /\ \E j \in Jobs : runs[j].prepared # {}
  /\ runs' = [j \in Jobs |-> [NoRuns EXCEPT !.noted = runs[j].noted,
                                        !.numbers = runs[j].numbers, !.starts = runs[j].starts]]
  /\ worker' = [x \in Workers |-> Idle]
  /\ OnlyRuns

-----------------------------------------------------------------------------
\* How an attempt ends.

Ending(x, kind) == [Past(x, "ending") EXCEPT !.kind = kind, !.origin = 0, !.phase = "none"]

HandlerEnds(x, kind) ==
  /\ worker[x].state \in {"running", "told"} /\ Awake(x)
  /\ inTx => kind # "succeeded"
  /\ HasRuns /\ kind = "succeeded" => worker[x].phase = "follow" /\ Origin(x) \in Runs(x).over
  /\ worker' = [worker EXCEPT ![x] = Ending(x, kind)]
  /\ OnlyWorker

HonourCancel(x) ==
  /\ worker[x].state = "running" /\ Awake(x) /\ request[Its(x)] # 0 /\ lease[Its(x)].worker = x
  /\ worker' = [worker EXCEPT ![x] = Ending(x, "cancelled")]
  /\ wrong' = wrong \cup If(request[Its(x)] # life[Its(x)], "former request")
  /\ UNCHANGED <<job, ready, scheduled, lease, outcome, attempt, request, attempts, life, drawn,
                 seen, inTx, effects, runs>>

\* The write that a lease gives the right to: all of it, or nothing.
WriteEnd(x, kind) ==
  LET j == Its(x) IN
  /\ lease' = [lease EXCEPT ![j] = NoLease]
  /\ attempts' = [attempts EXCEPT ![j] = worker[x].attempt]
  /\ wrong' = wrong \cup If(IsStale(x), "stale write")
                    \cup If(outcome[j] # NoOutcome, "final changed")
  /\ IF kind = "again"
     THEN /\ scheduled' = scheduled \cup {j}
          /\ attempt' = [attempt EXCEPT ![j] = @ \cup {<<worker[x].token, "ended">>}]
          /\ outcome' = outcome
     ELSE /\ outcome' = [outcome EXCEPT ![j] = [status |-> kind, token |-> worker[x].token]]
          /\ UNCHANGED <<scheduled, attempt>>

\* Found by its token where ends are written.
IsResolved(x) ==
  LET j == Its(x) t == worker[x].token IN
  CASE Resolve = "none" -> FALSE
    [] Resolve = "any" -> outcome[j].token = t \/ \E how \in {"ended", "lost"} : <<t, how>> \in attempt[j]
    [] OTHER -> outcome[j].token = t \/ <<t, "ended">> \in attempt[j]

Flush(x) ==
  /\ worker[x].state = "ending" /\ worker[x].heard = "none"
  /\ IF Owns(x)
     THEN /\ WriteEnd(x, worker[x].kind)
          /\ worker' = [worker EXCEPT ![x] = [@ EXCEPT !.heard = "written", !.wrote = TRUE]]
     ELSE /\ worker' = [worker EXCEPT ![x].heard = IF IsResolved(x) THEN "written" ELSE "refused"]
          /\ UNCHANGED <<lease, attempts, wrong, scheduled, attempt, outcome>>
  /\ UNCHANGED <<job, ready, request, life, drawn, seen, inTx, effects, runs>>

\* Of a job that was deleted meanwhile nothing can be told.
HearOfFlush(x) ==
  /\ worker[x].heard # "none" /\ Awake(x)
  /\ wrong' = wrong \cup If(Its(x) \in job /\ (worker[x].heard = "written") # worker[x].wrote,
                            "misled")
  /\ worker' = [worker EXCEPT ![x] = Idle]
  /\ UNCHANGED <<job, ready, scheduled, lease, outcome, attempt, request, attempts, life, drawn,
                 seen, inTx, effects, runs>>

\* Then it is repeated.
AnswerToFlushIsLost(x) ==
  /\ worker[x].heard # "none"
  /\ worker' = [worker EXCEPT ![x].heard = "none"]
  /\ OnlyWorker

FinishInTransaction(x) ==
  /\ inTx /\ worker[x].state \in {"running", "told"}
  /\ IF Owns(x)
     THEN /\ WriteEnd(x, "succeeded")
          /\ effects' = [effects EXCEPT ![Its(x)] = @ + 1]
          /\ worker' = [worker EXCEPT ![x] = [Past(x, "committed") EXCEPT !.wrote = TRUE]]
     ELSE /\ worker' = [worker EXCEPT ![x] = Idle]
          /\ UNCHANGED <<lease, attempts, wrong, scheduled, attempt, outcome, effects>>
  /\ UNCHANGED <<job, ready, request, life, drawn, seen, inTx, runs>>

HearOfCommit(x) ==
  /\ worker[x].state = "committed" /\ Awake(x)
  /\ worker' = [worker EXCEPT ![x] = Idle]
  /\ OnlyWorker

\* To the worker the handler has failed, and that is what it tries to write.
AnswerToCommitIsLost(x, kind) ==
  /\ worker[x].state = "committed"
  /\ worker' = [worker EXCEPT ![x] = Ending(x, kind)]
  /\ OnlyWorker

-----------------------------------------------------------------------------
\* What befalls all.

\* In any other state it is the same as to take one's time.
Freeze(x) ==
  /\ worker[x].state = "running" /\ worker[x].wake = "awake"
  /\ worker' = [worker EXCEPT ![x].wake = "frozen"]
  /\ OnlyWorker

Continue(x) ==
  /\ worker[x].wake = "frozen"
  /\ worker' = [worker EXCEPT ![x].wake = "thawed"]
  /\ OnlyWorker

\* Also a claim whose answer is lost.
Crash(x) ==
  /\ worker[x].state # "idle"
  /\ worker' = [worker EXCEPT ![x] = Idle]
  /\ OnlyWorker

Down(n, floor) == IF n > floor THEN n - 1 ELSE n

\* No time passes over a look that is due, unless the worker is frozen.
Tick ==
  /\ \A x \in Workers : ~(worker[x].state = "running" /\ Awake(x) /\ worker[x].left <= Latest)
  /\ lease' = [j \in Jobs |-> IF Leased(j) THEN [lease[j] EXCEPT !.left = Down(@, 0)] ELSE lease[j]]
  /\ worker' = [x \in Workers |->
       LET its == worker[x] IN
       [its EXCEPT
         !.left = IF its.state = "running" THEN Down(@, Latest) ELSE @,
         !.age = IF its.state \in {"asking", "granted"} \/ its.renewal # "none"
                 THEN (IF @ > Lease THEN @ ELSE @ + 1) ELSE @,
         !.wake = IF @ = "thawed" THEN "awake" ELSE @]]
  /\ UNCHANGED <<job, ready, scheduled, outcome, attempt, request, attempts, life, drawn, seen,
                 inTx, effects, runs, wrong>>

Next ==
  \/ Tick
  \/ \E j \in Jobs :
       \/ Submit(j) \/ CancelWaiting(j) \/ CancelRunning(j) \/ RetryByHand(j) \/ Delete(j)
       \/ BecomeDue(j) \/ FindExpired(j) \/ Orphan(j)
       \/ \E isOver \in BOOLEAN : Rescue(j, isOver)
  \/ \E x \in Workers :
       \/ AskForJob(x) \/ Begin(x)
       \/ (\E j \in Jobs : Claim(x, j) \/ Adopt(x, j) \/ GiveBackUnknown(x, j))
       \/ AskForRenewal(x) \/ Renew(x) \/ RenewalFails(x) \/ HearOfRenewal(x) \/ TellToStop(x)
       \/ Release(x) \/ HonourCancel(x)
       \/ (\E kind \in {"succeeded", "failed", "again"} : HandlerEnds(x, kind))
       \/ Flush(x) \/ HearOfFlush(x) \/ AnswerToFlushIsLost(x)
       \/ FinishInTransaction(x) \/ HearOfCommit(x)
       \/ (\E kind \in {"failed", "again"} : AnswerToCommitIsLost(x, kind))
       \/ Freeze(x) \/ Continue(x) \/ Crash(x)

Spec == Init /\ [][Next]_vars

\* Without time: a lease may be lost at any moment, and its worker hear of that when it is too late.
LeaseIsLost(j) ==
  /\ Leased(j) /\ lease[j].worker # Nobody /\ drawn < MaxToken
  /\ drawn' = drawn + 1
  /\ lease' = [lease EXCEPT ![j] = Orphaned(@)]
  /\ attempt' = [attempt EXCEPT ![j] = @ \cup {<<lease[j].token, "lost">>}]
  /\ UNCHANGED <<job, ready, scheduled, outcome, request, attempts, life, seen, inTx, worker,
                 effects, runs, wrong>>

NextOfRuns ==
  \/ MachineIsLost
  \/ \E j \in Jobs : Submit(j) \/ BecomeDue(j) \/ LeaseIsLost(j) \/ RunEnds(j)
  \/ \E x \in Workers :
       \/ AskForJob(x) \/ (\E j \in Jobs : Claim(x, j) \/ Adopt(x, j)) \/ Begin(x) \/ Release(x)
       \/ Clear(x) \/ Prepare(x) \/ Note(x) \/ StartRun(x) \/ FindRun(x) \/ RemoveRun(x)
       \/ (\E kind \in {"succeeded", "again"} : HandlerEnds(x, kind))
       \/ Flush(x) \/ HearOfFlush(x) \/ Crash(x)

SpecOfRuns == Init /\ [][NextOfRuns]_vars

Alike == Permutations(Workers)

-----------------------------------------------------------------------------
Places(j) == {p \in {"ready", "scheduled", "lease", "outcome"} :
  CASE p = "ready" -> j \in ready [] p = "scheduled" -> j \in scheduled
    [] p = "lease" -> Leased(j) [] OTHER -> outcome[j] # NoOutcome}

InOnePlace == \A j \in Jobs : Cardinality(Places(j)) = IF j \in job THEN 1 ELSE 0

StaleWorkersChangeNothing == "stale write" \notin wrong

FinalStatesStay == "final changed" \notin wrong

EffectAtMostOnce == \A j \in Jobs : effects[j] <= 1

EffectWithSuccess ==
  \A j \in job : inTx => (effects[j] = 1 <=> outcome[j].status = "succeeded")

\* Whoever runs a handler, and was not frozen, has the lease: it is told to stop before a takeover.
RunsUnderItsLease ==
  \A x \in Workers :
    worker[x].state = "running" /\ worker[x].wake = "awake" =>
      lease[Its(x)].token = worker[x].token /\ lease[Its(x)].worker = x

ToldTheTruth == "misled" \notin wrong

TokensGrow ==
  \A j \in Jobs : Leased(j) =>
    /\ \A ended \in attempt[j] : ended[1] < lease[j].token
    /\ \A x \in Workers : Its(x) = j => worker[x].token <= lease[j].token

CancelsThisLifeOnly == "former request" \notin wrong

\* Nobody can write under it, and it is what all the others see as running.
OrphansAreNobodys ==
  \A j \in Jobs : Leased(j) /\ lease[j].worker = Nobody =>
    Adopts /\ \A x \in Workers : worker[x].token # lease[j].token

RunsStartOnce == \A j \in Jobs : \A token \in 1..MaxToken : runs[j].starts[token] <= 1

OneRunAtATime == \A j \in Jobs : Cardinality(runs[j].alive) <= 1

\* One that goes on has the number with which it began, and no other has that.
AttemptsAreHonest ==
  \A j \in Jobs : \A a, b \in runs[j].numbers : a[1] = b[1] <=> a[2] = b[2]
=============================================================================
