/*
 * Compiled expressions at the moment a statement needs them: out of the cache, or made.
 *
 * The stock server takes the constraints one after the other and parses, plans and compiles each
 * before it looks at the next. So do we: an error, a notice or a privilege asked for while the
 * second is planned comes after everything of the first. What was kept is skipped, and only what
 * has no effect that anyone could see is kept.
 *
 * An entry is made below the statement's memory and published last. If a function that it relies on
 * changed meanwhile it is used by this statement, as the stock server would, and never published.
 */
#include "relcache_checks.h"

#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "rewrite/prs2lock.h"
#include "rewrite/rewriteManip.h"

/* The tree that the stock server would plan. */
Node* RcParse(const char* text, bool is_when) {
  Node* tree = stringToNode(text);

  if (is_when) {
    ChangeVarNodes(tree, PRS2_OLD_VARNO, INNER_VAR, 0);
    ChangeVarNodes(tree, PRS2_NEW_VARNO, OUTER_VAR, 0);
    tree = (Node*)make_ands_implicit((Expr*)tree);
  }
  return tree;
}

/* NULL for WHEN (true). */
ExprState* RcCompile(Node* planned, bool is_when) {
  return is_when ? ExecInitQual((List*)planned, NULL) : ExecInitExpr((Expr*)planned, NULL);
}

/* Plan and compile, as in every statement of the stock server. */
static ExprState* PrepareParsed(Node* parsed, EState* estate, bool is_when) {
  Node* copy = copyObject(parsed);

  return is_when ? ExecPrepareQual((List*)copy, estate) : ExecPrepareExpr((Expr*)copy, estate);
}

static Node* CopyInto(MemoryContext cxt, Node* tree) {
  MemoryContext old = MemoryContextSwitchTo(cxt);
  Node* copy = copyObject(tree);

  MemoryContextSwitchTo(old);
  return copy;
}

static ExprState* CompileIn(MemoryContext cxt, Node* planned, bool is_when) {
  MemoryContext old = MemoryContextSwitchTo(cxt);
  ExprState* state = RcCompile(planned, is_when);

  MemoryContextSwitchTo(old);
  return state;
}

/* While something watches functions being called, a plan may be used only if making it would call
 * none. */
static bool UsesPlan(const RcExpr* expr, bool hooked) {
  return expr->verdict.served >= RC_SERVED_PLANNED && !(hooked && expr->verdict.folds);
}

/* What a statement is being served from, and into. */
typedef struct Service {
  const RcRequest* request;
  RcEntry* entry;
  EState* estate;
  bool is_when;
  bool hooked;               /* a function-execution hook is set */
  MemoryContext pool_parent; /* where new states hang until they are finished */
  RcPooled* pooled;          /* new states, or NULL */
  ExprState** states;
} Service;

/* A place for the i-th state: with the pool, if it may go there. */
static ExprState* CompileKept(Service* service, int i) {
  RcEntry* entry = service->entry;
  RcExpr* expr = &entry->exprs[i];

  if (expr->verdict.served != RC_SERVED_POOLED || service->hooked || !rc_state_pool)
    return RcCompile(expr->planned, service->is_when);
  if (service->pooled == NULL) service->pooled = RcPooledNew(entry, service->pool_parent);
  return service->pooled->states[i] =
             CompileIn(service->pooled->cxt, expr->planned, service->is_when);
}

/* Make the i-th expression of a new entry, and this statement's compiled form of it. */
static ExprState* Make(Service* service, int i, MemoryContext scratch) {
  RcEntry* entry = service->entry;
  RcExpr* expr = &entry->exprs[i];
  bool is_when = service->is_when;
  MemoryContext old = MemoryContextSwitchTo(scratch);
  Node* parsed = RcParse(expr->text, is_when);
  Node* planned;

  RC_TEST_PLACE("parsed");
  if (!entry->may_plan) {
    expr->verdict.reason = RC_REASON_SWITCHED_OFF;
    planned = NULL;
  } else if (RcMayKeepPlan(parsed, &expr->verdict)) {
    planned = (Node*)expression_planner((Expr*)copyObject(parsed));
    RC_TEST_PLACE("planned");
    RcJudgePlan(parsed, planned, &expr->verdict);
  } else
    planned = NULL;
  MemoryContextSwitchTo(old);

  if (expr->verdict.served < RC_SERVED_PLANNED || expr->verdict.folds)
    expr->parsed = CopyInto(entry->cxt, parsed);
  if (expr->verdict.served >= RC_SERVED_PLANNED) {
    expr->planned = CopyInto(entry->cxt, planned);
    if (expr->verdict.served == RC_SERVED_POOLED) entry->npooled++;
    return CompileKept(service, i);
  }
  if (planned != NULL) /* planned once already, and not to be planned twice */
    return RcCompile(copyObject(planned), is_when);
  return PrepareParsed(expr->parsed, service->estate, is_when);
}

/* No entry fits: make one and serve the statement on the way. */
static void ServeNew(Service* service, RcHold* hold) {
  RcEntry* entry = service->entry;
  MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "relcache_checks scratch",
                                                ALLOCSET_DEFAULT_SIZES);

  for (int i = 0; i < entry->nexprs; i++) {
    service->states[i] = Make(service, i, scratch);
    MemoryContextReset(scratch);
    RC_TEST_PLACE("made one");
  }
  MemoryContextDelete(scratch);
  RcEntryNoteColumns(entry);
  RcEntryMatched(entry, service->request);
  if (entry->generation != rc_generation) return;
  RC_TEST_PLACE("before publishing");
  if (entry->generation != rc_generation) return;

  /* Nothing from here on can fail. */
  RcHoldEntry(hold, entry);
  if (service->pooled != NULL) RcPooledFinish(entry, service->pooled);
  hold->states = service->pooled;
  RcEntryPublish(entry);
}

/* The entry fits: take what it has, make the rest of what it may not keep. */
static void ServeKept(Service* service, RcHold* hold) {
  RcEntry* entry = service->entry;
  bool pool = entry->npooled > 0 && rc_state_pool && !service->hooked;

  /* From here on nothing that planning may run can take the entry away. */
  RcHoldEntry(hold, entry);
  if (pool) hold->states = RcPooledTake(entry);
  if (hold->states != NULL && entry->npooled == entry->nexprs) {
    service->states = hold->states->states;
    return;
  }
  service->states = palloc(entry->nexprs * sizeof(ExprState*));
  for (int i = 0; i < entry->nexprs; i++) {
    RcExpr* expr = &entry->exprs[i];

    if (hold->states != NULL && expr->verdict.served == RC_SERVED_POOLED)
      service->states[i] = hold->states->states[i];
    else if (UsesPlan(expr, service->hooked))
      service->states[i] = CompileKept(service, i);
    else
      service->states[i] = PrepareParsed(expr->parsed, service->estate, service->is_when);
    RC_TEST_PLACE("compiled one");
  }
  if (service->pooled != NULL) {
    RcPooledFinish(entry, service->pooled);
    hold->states = service->pooled;
  }
}

ExprState** RcServe(const RcRequest* request, EState* estate, RcHold* hold) {
  Service service = {.request = request,
                     .estate = estate,
                     .is_when = OidIsValid(request->trigid),
                     .hooked = RcFunctionHookIsSet()};

  Assert(CurrentMemoryContext == estate->es_query_cxt);
  RC_TEST_PLACE("serve");
  service.entry = RcEntryFind(request, rc_planned_trees);
  if (service.entry != NULL) {
    service.pool_parent = CurrentMemoryContext;
    ServeKept(&service, hold);
  } else {
    service.entry = RcEntryNew(request, rc_planned_trees, CurrentMemoryContext);
    service.states = palloc(request->ntexts * sizeof(ExprState*));
    service.pool_parent = service.entry->cxt;
    RC_TEST_PLACE("new entry");
    ServeNew(&service, hold);
  }
  return service.states;
}
