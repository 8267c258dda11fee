/*
 * Compiled expressions that lie ready, and the claim of a statement on its block.
 *
 * An ExprState is used by one statement at a time; a statement that comes while another runs on the
 * same table (a trigger's own insert) makes a second set. Every set has a context of its own below
 * its block's, so that one set can be given up without the block: after an error (a function may
 * have been stopped in the middle of filling what it keeps between calls), or when what functions
 * keep between calls has grown.
 *
 * Which expressions may be pooled is decided in classify.c: only those whose steps point at nothing
 * of the statement.
 */
#include "relcache_checks.h"

#include "access/xact.h"
#include "nodes/nodeFuncs.h"

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
RcPooled* RcPooledNew(RcBlock* block, MemoryContext parent) {
  MemoryContext cxt = AllocSetContextCreate(parent, "relcache_checks states", RC_CONTEXT_SIZES);
  RcPooled* pooled =
      MemoryContextAllocZero(cxt, offsetof(RcPooled, states) + block->nexprs * sizeof(ExprState*));

  pooled->cxt = cxt;
  return pooled;
}

/* The set is filled: from here on it belongs to the block. Fails never. */
void RcPooledFinish(RcBlock* block, RcPooled* pooled) {
  MemoryContextSetParent(pooled->cxt, block->cxt);
  pooled->bytes_new = pooled->bytes = MemoryContextMemAllocated(pooled->cxt, true);
  block->nstates++;
  rc_stats.states_built++;
  RcBlockResized(block, block->bytes + pooled->bytes);
}

/* Note the columns of a tree's Vars; system columns have a fixed type. */
static bool ColumnsWalker(Node* node, void* context) {
  RcBlock* block = context;
  Var* var = (Var*)node;

  if (node == NULL) return false;
  if (!IsA(node, Var)) return expression_tree_walker(node, ColumnsWalker, context);
  if (var->varattno <= 0) return false;
  for (int i = 0; i < block->ncolumns; i++)
    if (block->columns[i].attnum == var->varattno && block->columns[i].type == var->vartype)
      return false;
  if (block->columns == NULL)
    block->columns = MemoryContextAlloc(block->cxt, sizeof(RcColumn));
  else
    block->columns = repalloc(block->columns, (block->ncolumns + 1) * sizeof(RcColumn));
  block->columns[block->ncolumns].attnum = var->varattno;
  block->columns[block->ncolumns++].type = var->vartype;
  return false;
}

/* Called once, when all expressions of a block have their trees. */
void RcPoolColumns(RcBlock* block) {
  for (int i = 0; i < block->nexprs; i++)
    if (block->exprs[i].verdict.served == RC_SERVED_POOLED)
      (void)ColumnsWalker(block->exprs[i].planned, block);
}

/*
 * A compiled expression looks at its columns' types when it is called first; in a pooled one that
 * has been done, so it is repeated here, from the table instead of the row and in a tenth of the
 * time.
 */
bool RcColumnsFit(const RcBlock* block, TupleDesc desc) {
  for (int i = 0; i < block->ncolumns; i++) {
    const RcColumn* column = &block->columns[i];
    Form_pg_attribute attribute;

    if (column->attnum > desc->natts) return false;
    attribute = TupleDescAttr(desc, column->attnum - 1);
    if (attribute->attisdropped || attribute->atttypid != column->type) return false;
  }
  return true;
}

/*
 * A set that is ready, or NULL. If a column's type is not as expected, which takes a damaged
 * catalog, the set is let be: a new one will raise the error that it should.
 */
RcPooled* RcPooledTake(RcBlock* block) {
  RcPooled* pooled = block->idle;

  if (pooled == NULL || !block->columns_fit) return NULL;
  block->idle = pooled->next;
  block->nidle--;
  rc_stats.states_reused++;
  return pooled;
}

static void Discard(RcBlock* block, RcPooled* pooled) {
  block->nstates--;
  RcBlockResized(block, block->bytes - pooled->bytes);
  MemoryContextDelete(pooled->cxt);
}

/* A set may serve again unless its statement failed, or functions keep too much in it. */
static bool MayServeAgain(const RcHold* hold, Size bytes) {
  return hold->abort_epoch == abort_epoch && IsTransactionState() && rc_state_pool &&
         hold->block->linked && hold->block->nidle < MAX_IDLE &&
         bytes <= hold->states->bytes_new + MAX_GROWTH;
}

/* The statement uses the block from here on. Fails never. */
void RcHoldBlock(RcHold* hold, RcBlock* block) {
  hold->block = block;
  hold->states = NULL;
  hold->abort_epoch = abort_epoch;
  block->refs++;
}

/*
 * The statement's memory goes: its claim, if it had come to one, ends. An error shows by the
 * transaction's state or, where the memory is freed only after a rollback to a savepoint, by the
 * epoch.
 */
void RcHoldEnd(RcHold* hold) {
  RcBlock* block = hold->block;
  RcPooled* pooled = hold->states;

  if (block == NULL) return;
  if (pooled != NULL) {
    Size bytes = MemoryContextMemAllocated(pooled->cxt, true);

    if (MayServeAgain(hold, bytes)) {
      RcBlockResized(block, block->bytes + (bytes - pooled->bytes));
      pooled->bytes = bytes;
      pooled->next = block->idle;
      block->idle = pooled;
      block->nidle++;
    } else
      Discard(block, pooled);
  }
  hold->block = NULL;
  RcBlockRelease(block);
  if (rc_stats.bytes > (int64)rc_cache_limit * 1024) RcBlockEvict();
}
