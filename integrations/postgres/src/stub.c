/*
 * Stubs: ExprStates whose evaluation function is ours.
 *
 * The executor compiles a table's CHECK constraints when the first row reaches them and finds the
 * place empty, and a trigger's WHEN likewise. A stub in that place makes it believe that this is
 * done; when the first row calls it, it does it then, so that statements without rows, BEFORE
 * triggers, errors and privileges come in the stock server's order. The executor reads the place
 * anew for every constraint, so a stub of a table is called once in a statement and costs nothing
 * after that.
 *
 * Whoever copies a ResultRelInfo takes the stubs along and calls them for every row; so each stub
 * knows its number and passes the call on. That makes fifty constraints fifty stubs; they are
 * filled in once and lent to one statement after the other.
 */
#include "relcache_checks.h"

#include "catalog/pg_class.h"
#include "commands/trigger.h"
#include "port/pg_bitutils.h"
#include "utils/rel.h"

typedef struct Stub {
  ExprState state; /* first, so that the executor's pointer is ours */
  struct StubSet* set;
  int index; /* of the constraint, or of the trigger */
} Stub;

/* The stubs of one table's CHECK constraints, or the one of a trigger, within one statement. */
typedef struct StubSet {
  MemoryContextCallback callback; /* of the statement's memory */
  ResultRelInfo* rri;
  EState* estate;
  ExprState** resolved; /* once resolved */
  int nresolved;
  RcHold hold;
  struct StubShelf* shelf; /* where it lies between statements; NULL: it is the statement's own */
  struct StubSet* next;    /* there */
  ExprState** places;      /* pointers to the stubs, as the executor wants them */
  Stub stubs[FLEXIBLE_ARRAY_MEMBER];
} StubSet;

/* ---- sets that lie ready ---- */

/* Sets of 1, 2, 4, ... 64 stubs are kept for the next statement, a few of each: 100 kB at most. */
#define NSHELVES 7
#define MAX_IDLE 4

typedef struct StubShelf {
  StubSet* idle;
  int nidle;
} StubShelf;

/* Sets of one kind. */
typedef struct StubKind {
  ExprStateEvalFunc evalfunc;
  uint8 flags;
  StubShelf shelves[NSHELVES]; /* the i-th has sets of 2^i stubs */
} StubKind;

static MemoryContext stub_cxt;

void RcStubInit(void) {
  stub_cxt = AllocSetContextCreate(TopMemoryContext, "relcache_checks stubs", ALLOCSET_SMALL_SIZES);
}

static StubSet* NewStubSet(const StubKind* kind, int nstubs, MemoryContext cxt) {
  Size set_size = MAXALIGN(offsetof(StubSet, stubs) + nstubs * sizeof(Stub));
  StubSet* set = MemoryContextAllocZero(cxt, set_size + nstubs * sizeof(ExprState*));

  set->places = (ExprState**)((char*)set + set_size);
  for (int i = 0; i < nstubs; i++) {
    Stub* stub = &set->stubs[i];

    NodeSetTag(&stub->state, T_ExprState);
    stub->state.flags = kind->flags;
    stub->state.evalfunc = kind->evalfunc;
    stub->set = set;
    stub->index = i;
    set->places[i] = &stub->state;
  }
  return set;
}

/* The statement's memory goes: its claim ends, and the set may serve another. */
static void ReturnStubSet(void* arg) {
  StubSet* set = arg;
  StubShelf* shelf = set->shelf;

  RcHoldEnd(&set->hold);
  if (shelf == NULL) return;
  if (shelf->nidle < MAX_IDLE) {
    set->next = shelf->idle;
    shelf->idle = set;
    shelf->nidle++;
  } else
    pfree(set);
}

/* A set of nstubs or more for this statement, until its memory goes. */
static StubSet* LendStubSet(StubKind* kind, int nstubs, ResultRelInfo* rri, EState* estate) {
  int level = pg_ceil_log2_32(nstubs);
  StubShelf* shelf = level < NSHELVES ? &kind->shelves[level] : NULL;
  StubSet* set;

  if (shelf == NULL)
    set = NewStubSet(kind, nstubs, estate->es_query_cxt);
  else if (shelf->idle == NULL)
    set = NewStubSet(kind, 1 << level, stub_cxt);
  else {
    set = shelf->idle;
    shelf->idle = set->next;
    shelf->nidle--;
  }
  set->shelf = shelf;
  set->rri = rri;
  set->estate = estate;
  set->resolved = NULL;
  set->hold.entry = NULL;
  set->callback.func = ReturnStubSet;
  set->callback.arg = set;
  MemoryContextRegisterResetCallback(estate->es_query_cxt, &set->callback);
  return set;
}

/* ---- CHECK constraints ---- */

/*
 * The constraints are read now, from where ExecRelCheck reads them: it has just counted them. Their
 * texts stay where they are until the end of the transaction even if making the expressions
 * rebuilds the table's relcache entry.
 */
static void ResolveChecks(StubSet* set) {
  ResultRelInfo* rri = set->rri;
  Relation relation = rri->ri_RelationDesc;
  TupleDesc desc = RelationGetDescr(relation);
  MemoryContext old = MemoryContextSwitchTo(set->estate->es_query_cxt);
  RcRequest request = {.relid = RelationGetRelid(relation),
                       .desc = desc,
                       .changes = relation->rd_isvalid ? rc_relation_changes : 0,
                       .ntexts = desc->constr->num_check,
                       .checks = desc->constr->check};

  set->resolved = RcServe(&request, set->estate, &set->hold);
  set->nresolved = request.ntexts;
  RC_CONSTRAINT_EXPRS(rri) = set->resolved;
  MemoryContextSwitchTo(old);
}

static Datum EvalCheckStub(ExprState* state, ExprContext* econtext, bool* isnull) {
  Stub* stub = (Stub*)state;
  StubSet* set = stub->set;
  ExprState* real;

  if (set->resolved == NULL) ResolveChecks(set);
  if (stub->index >= set->nresolved)
    elog(ERROR, "relcache_checks: table \"%s\" has %d check constraints, number %d was asked for",
         RelationGetRelationName(set->rri->ri_RelationDesc), set->nresolved, stub->index);
  real = set->resolved[stub->index];
  return real->evalfunc(real, econtext, isnull);
}

static StubKind check_stubs = {.evalfunc = EvalCheckStub};

static inline void StubChecks(ResultRelInfo* rri, EState* estate) {
  int nchecks = rri->ri_RelationDesc->rd_att->constr->num_check;

  RC_CONSTRAINT_EXPRS(rri) = LendStubSet(&check_stubs, nchecks, rri, estate)->places;
}

/* ---- WHEN of triggers ---- */

/* The condition comes from the ResultRelInfo's own copy, which no cache vouches for. */
static void ResolveWhen(StubSet* set, int index) {
  ResultRelInfo* rri = set->rri;
  Trigger* trigger = &rri->ri_TrigDesc->triggers[index];
  MemoryContext old = MemoryContextSwitchTo(set->estate->es_query_cxt);
  RcRequest request = {.relid = RelationGetRelid(rri->ri_RelationDesc),
                       .trigid = trigger->tgoid,
                       .desc = RelationGetDescr(rri->ri_RelationDesc),
                       .ntexts = 1,
                       .condition = trigger->tgqual};

  set->resolved = RcServe(&request, set->estate, &set->hold);
  set->nresolved = 1;
  if (set->resolved[0] != NULL) rri->ri_TrigWhenExprs[index] = set->resolved[0];
  MemoryContextSwitchTo(old);
}

/* WHEN (true) compiles to nothing, which the executor would make again for every row; there, the
 * stub stays. */
static Datum EvalWhenStub(ExprState* state, ExprContext* econtext, bool* isnull) {
  Stub* stub = (Stub*)state;
  StubSet* set = stub->set;

  if (set->resolved == NULL) ResolveWhen(set, stub->index);
  if (set->resolved[0] == NULL) {
    *isnull = false;
    return BoolGetDatum(true);
  }
  return set->resolved[0]->evalfunc(set->resolved[0], econtext, isnull);
}

static StubKind when_stubs = {.evalfunc = EvalWhenStub, .flags = EEO_FLAG_IS_QUAL};

static void StubWhens(ResultRelInfo* rri, EState* estate) {
  TriggerDesc* triggers = rri->ri_TrigDesc;

  for (int i = 0; i < triggers->numtriggers; i++) {
    if (triggers->triggers[i].tgqual != NULL && rri->ri_TrigWhenExprs[i] == NULL) {
      StubSet* set = LendStubSet(&when_stubs, 1, rri, estate);

      set->stubs[0].index = i;
      rri->ri_TrigWhenExprs[i] = &set->stubs[0].state;
    }
  }
}

/* ---- both ---- */

/* Put stubs where the statement will look for compiled expressions of this table and finds none
 * yet. */
void RcStubRelation(ResultRelInfo* rri, EState* estate, CmdType operation) {
  Relation relation = rri->ri_RelationDesc;
  TupleConstr* constr = relation->rd_att->constr;

  if (constr != NULL && constr->num_check > 0 && operation != CMD_DELETE && rc_check_constraints &&
      RC_CONSTRAINT_EXPRS(rri) == NULL && rri->ri_FdwRoutine == NULL &&
      relation->rd_rel->relkind == RELKIND_RELATION)
    StubChecks(rri, estate);
  if (rri->ri_TrigDesc != NULL && rc_trigger_conditions) StubWhens(rri, estate);
}
