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
 * knows its number and passes the call on.
 */
#include "relcache_checks.h"

#include "catalog/pg_class.h"
#include "commands/trigger.h"
#include "utils/rel.h"

typedef struct Stub {
  ExprState state; /* first, so that the executor's pointer is ours */
  struct StubSet* set;
  int index; /* of the constraint, or of the trigger */
} Stub;

/* The stubs of one table's CHECK constraints, or the one of a trigger, within one statement. */
typedef struct StubSet {
  ResultRelInfo* rri;
  EState* estate;
  ExprState** resolved; /* once resolved */
  int nresolved;
  RcHold hold;
  Stub stubs[FLEXIBLE_ARRAY_MEMBER];
} StubSet;

/* Fill in a set of nstubs; its memory is zeroed. */
static void InitStubSet(StubSet* set, ResultRelInfo* rri, EState* estate, int nstubs,
                        ExprStateEvalFunc evalfunc, uint8 flags) {
  set->rri = rri;
  set->estate = estate;
  for (int i = 0; i < nstubs; i++) {
    Stub* stub = &set->stubs[i];

    NodeSetTag(&stub->state, T_ExprState);
    stub->state.flags = flags;
    stub->state.evalfunc = evalfunc;
    stub->set = set;
    stub->index = i;
  }
}

/* ---- CHECK constraints ---- */

/*
 * The constraints are read now, from where ExecRelCheck reads them: it has just counted them. Their
 * texts stay where they are until the end of the transaction even if making the expressions
 * rebuilds the table's relcache entry.
 */
static void ResolveChecks(StubSet* set) {
  ResultRelInfo* rri = set->rri;
  TupleDesc desc = RelationGetDescr(rri->ri_RelationDesc);
  MemoryContext old = MemoryContextSwitchTo(set->estate->es_query_cxt);
  RcRequest request = {.relid = RelationGetRelid(rri->ri_RelationDesc),
                       .desc = desc,
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

static void StubChecks(ResultRelInfo* rri, EState* estate) {
  int nchecks = rri->ri_RelationDesc->rd_att->constr->num_check;
  Size set_size = MAXALIGN(offsetof(StubSet, stubs) + nchecks * sizeof(Stub));
  StubSet* set =
      MemoryContextAllocZero(estate->es_query_cxt, set_size + nchecks * sizeof(ExprState*));
  ExprState** places = (ExprState**)((char*)set + set_size);

  InitStubSet(set, rri, estate, nchecks, EvalCheckStub, 0);
  for (int i = 0; i < nchecks; i++) places[i] = &set->stubs[i].state;
  RC_CONSTRAINT_EXPRS(rri) = places;
}

/* ---- WHEN of triggers ---- */

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

static void StubWhens(ResultRelInfo* rri, EState* estate) {
  TriggerDesc* triggers = rri->ri_TrigDesc;

  for (int i = 0; i < triggers->numtriggers; i++) {
    if (triggers->triggers[i].tgqual != NULL && rri->ri_TrigWhenExprs[i] == NULL) {
      StubSet* set =
          MemoryContextAllocZero(estate->es_query_cxt, offsetof(StubSet, stubs) + sizeof(Stub));

      InitStubSet(set, rri, estate, 1, EvalWhenStub, EEO_FLAG_IS_QUAL);
      set->stubs[0].index = i;
      rri->ri_TrigWhenExprs[i] = &set->stubs[0].state;
    }
  }
}

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
