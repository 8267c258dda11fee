/*
 * Compiled expressions that lie ready, and the claim of a statement on its entry.
 *
 * An ExprState is used by one statement at a time; a statement that comes while another runs on the
 * same table (a trigger's own insert) makes a second set. Every set has a context of its own below
 * its entry's, so that one set can be given up without the entry: after an error (a function may
 * have been stopped in the middle of filling what it keeps between calls), or when what functions
 * keep between calls has grown.
 *
 * Which expressions may be pooled is decided in classify.c: only those whose steps point at nothing
 * of the statement.
 */
#include "relcache_checks.h"

#include "access/xact.h"

/* Nested statements on one table seldom go deeper; what is above is made anew. */
#define MAX_IDLE 4

/* What functions may add to a set of states between calls before it is thrown away. */
#define MAX_GROWTH 16384

/* Counts aborts of transactions and subtransactions. */
static uint64 abort_epoch;

static void TransactionEnded(XactEvent event, void* arg) {
  if (event == XACT_EVENT_ABORT) abort_epoch++;
}

static void SubtransactionEnded(SubXactEvent event, SubTransactionId subid,
                                SubTransactionId parentid, void* arg) {
  if (event == SUBXACT_EVENT_ABORT_SUB) abort_epoch++;
}

void RcPoolInit(void) {
  RegisterXactCallback(TransactionEnded, NULL);
  RegisterSubXactCallback(SubtransactionEnded, NULL);
}

/* An empty set. Its context hangs below parent until RcPooledFinish. */
RcPooled* RcPooledNew(RcEntry* entry, MemoryContext parent) {
  MemoryContext cxt = AllocSetContextCreate(parent, "relcache_checks states", RC_CONTEXT_SIZES);
  RcPooled* pooled =
      MemoryContextAllocZero(cxt, offsetof(RcPooled, states) + entry->nexprs * sizeof(ExprState*));

  pooled->cxt = cxt;
  return pooled;
}

/* The set is filled: from here on it belongs to the entry. Fails never. */
void RcPooledFinish(RcEntry* entry, RcPooled* pooled) {
  MemoryContextSetParent(pooled->cxt, entry->cxt);
  pooled->bytes_new = pooled->bytes = MemoryContextMemAllocated(pooled->cxt, true);
  entry->nstates++;
  rc_stats.states_built++;
  RcEntryResized(entry, entry->bytes + pooled->bytes);
}

/*
 * A set that is ready, or NULL. If a column's type is not as expected, which takes a damaged
 * catalog, the set is let be: a new one will raise the error that it should.
 */
RcPooled* RcPooledTake(RcEntry* entry) {
  RcPooled* pooled = entry->idle;

  if (pooled == NULL || !entry->columns_fit) return NULL;
  entry->idle = pooled->next;
  entry->nidle--;
  rc_stats.states_reused++;
  return pooled;
}

static void Discard(RcEntry* entry, RcPooled* pooled) {
  entry->nstates--;
  RcEntryResized(entry, entry->bytes - pooled->bytes);
  MemoryContextDelete(pooled->cxt);
}

/* A set may serve again unless its statement failed, or functions keep too much in it. */
static bool MayServeAgain(const RcHold* hold, Size bytes) {
  return hold->abort_epoch == abort_epoch && IsTransactionState() && rc_state_pool &&
         hold->entry->linked && hold->entry->nidle < MAX_IDLE &&
         bytes <= hold->states->bytes_new + MAX_GROWTH;
}

/* The statement uses the entry from here on. Fails never. */
void RcHoldEntry(RcHold* hold, RcEntry* entry) {
  hold->entry = entry;
  hold->states = NULL;
  hold->abort_epoch = abort_epoch;
  entry->refs++;
}

/*
 * The statement's memory goes: its claim, if it had come to one, ends. An error shows by the
 * transaction's state or, where the memory is freed only after a rollback to a savepoint, by the
 * epoch.
 */
void RcHoldEnd(RcHold* hold) {
  RcEntry* entry = hold->entry;
  RcPooled* pooled = hold->states;

  if (entry == NULL) return;
  if (pooled != NULL) {
    Size bytes = MemoryContextMemAllocated(pooled->cxt, true);

    if (MayServeAgain(hold, bytes)) {
      RcEntryResized(entry, entry->bytes + (bytes - pooled->bytes));
      pooled->bytes = bytes;
      pooled->next = entry->idle;
      entry->idle = pooled;
      entry->nidle++;
    } else
      Discard(entry, pooled);
  }
  hold->entry = NULL;
  RcEntryRelease(entry);
  if (rc_stats.bytes > (int64)rc_cache_limit * 1024) RcEntryEvict();
}
