/*
 * relcache_checks: what the parts of the extension know of each other.
 *
 * The way of one statement:
 *
 *  - module.c: ExecutorStart has run; every table that the statement writes gets stubs.
 *  - routing.c: ... and so does every partition that a row is about to be routed to.
 *  - stub.c: a stub stands where the executor would compile an expression when the first row
 *    reaches it. When the row is there, it asks serve.c for the compiled expressions and puts them
 *    in its own place.
 *  - serve.c takes the compiled expressions out of the cache, or makes them, exactly in the stock
 *    server's order.
 *  - entry.c: the cache. One entry, that is one memory context, for the CHECK constraints of a
 *    table or for one trigger's WHEN; counted by those who use it, freed as a whole.
 *  - pool.c: compiled expressions (ExprStates) that lie ready in their entry.
 *  - classify.c: how much of an expression may be kept: its parsed tree, its planned tree, its
 *    compiled form.
 *  - watch.c: what the server says has changed in the catalogs.
 *  - settings.c: the settings. views.c: what an administrator sees.
 *
 * The sections below are in the order of the files: each calls those before it and none after it.
 * What has to be told upwards (a relation changed, the limit was set) goes through a function that
 * the upper file hands down when the library is loaded.
 *
 * Two rules carry all of it:
 *
 *  1. Whatever the stock server does, happens here at the same moment: nothing is looked at before
 *     the first row reaches it, and what may run a user's code or ask for a privilege is run and
 *     asked in every statement.
 *  2. An entry is trusted only if the texts it was made from equal the catalog's texts now, and no
 *     built-in function that it relies on has changed since. The texts are compared at every use,
 *     unless the server's relation cache vouches for them: it still holds the very description that
 *     they were compared with, and has heard of no change of any relation since. So rolled-back
 *     DDL, reused oids and tables rebuilt under the same oid cannot deceive it.
 */
#ifndef RELCACHE_CHECKS_H
#define RELCACHE_CHECKS_H

#include "postgres.h"

#include "version.h"

#include "access/tupdesc.h"
#include "executor/executor.h"
#include "lib/ilist.h"
#include "nodes/execnodes.h"
#include "utils/memutils.h"

/* What follows is called within the library only, and not by way of its symbol table. */
#pragma GCC visibility push(hidden)

/* ---- settings.c ---- */

extern bool rc_enabled;
extern bool rc_check_constraints;
extern bool rc_trigger_conditions;
extern bool rc_partition_routing;
extern bool rc_planned_trees;
extern bool rc_state_pool;
extern int rc_cache_limit; /* kB */

/* limit_changed is called when rc_cache_limit has a new value. */
extern void RcDefineSettings(void (*limit_changed)(void));

/* ---- watch.c ---- */

/* Counts the changes of those functions and operators that kept plans may rely on. */
extern uint64 rc_generation;

/* Counts the invalidations of relations, of any of them: see IsVouchedFor in entry.c. */
extern uint64 rc_relation_changes;

/* Hears that a relation was changed or dropped; InvalidOid: any of them. Must not fail. */
typedef void (*RcRelationChanged)(Oid relid);

extern void RcWatchInit(void);
extern void RcWatchRelations(RcRelationChanged listener);

/* From now on a change of this function makes every entry stale. Called before the function's row
 * is read. */
extern void RcWatchFunction(Oid funcid);

/* ---- classify.c ---- */

/* How far an expression is served. Each step includes the ones before it. */
typedef enum RcServed {
  RC_SERVED_PARSED,  /* text is not parsed again */
  RC_SERVED_PLANNED, /* ... nor planned */
  RC_SERVED_POOLED   /* ... nor compiled */
} RcServed;

/* Why it is not served further. */
typedef enum RcReason {
  RC_REASON_NONE,
  RC_REASON_FUNCTION,  /* calls a function that is not built in; object = its oid */
  RC_REASON_PRIVILEGE, /* calls a function with an access list of its own; object = its oid */
  RC_REASON_TYPE,      /* computes with a type that is not built in; object = its oid */
  RC_REASON_NODE,      /* a kind of expression that is not on the list; object = its node tag */
  RC_REASON_FOLDED, /* planning computes a function that may depend on settings; object = its oid */
  RC_REASON_STATE,  /* its compiled form keeps state of the statement; object = a node tag */
  RC_REASON_SWITCHED_OFF /* relcache_checks.planned_trees was off */
} RcReason;

typedef struct RcVerdict {
  RcServed served;
  RcReason reason;
  Oid object;
  bool folds; /* planning computes, or drops, a function call */
} RcVerdict;

/* Before planning: may the planned form be kept at all? Says no by a verdict RC_SERVED_PARSED with
 * its reason. */
extern bool RcMayKeepPlan(Node* parsed, RcVerdict* verdict);

/* After planning: what may be kept. */
extern void RcJudgePlan(Node* parsed, Node* planned, RcVerdict* verdict);

/* The verdict in words, in the current memory context; NULL when there is nothing to say. */
extern char* RcReasonText(const RcVerdict* verdict);
extern const char* RcServedText(RcServed served);

/* Something wants to see each function before it is executed (sepgsql, pgaudit): the stock order of
 * calls is kept. */
extern bool RcFunctionHookIsSet(void);

/* ---- entry.c ---- */

/*
 * Sizes for contexts that are filled once: what is larger than a quarter of a small block gets
 * memory of exactly its size, which takes a quarter less than doubling blocks.
 */
#define RC_CONTEXT_SIZES 0, 1536, 1536

/* A column that a pooled expression reads, with the type it expects. */
typedef struct RcColumn {
  AttrNumber attnum;
  Oid type;
} RcColumn;

typedef struct RcExpr {
  char* text;    /* as in the catalog: ccbin or tgqual */
  Node* parsed;  /* kept where the planned form is not, or must not always, be used */
  Node* planned; /* NULL if it may not be kept */
  RcVerdict verdict;
} RcExpr;

typedef struct RcEntry {
  struct RcEntry* chain; /* next in its hash bucket */
  dlist_node lru;        /* least recently used last */
  Oid relid;
  Oid trigid;        /* the trigger whose WHEN this is, or InvalidOid: CHECK constraints */
  uint64 generation; /* of the built-in functions when its making began */
  TupleDesc desc;    /* what the texts were last found equal to; compared, never followed */
  uint64 changes;    /* ... and RcRequest.changes then */
  bool linked;       /* still findable */
  bool may_plan;     /* made while planned trees were allowed */
  int refs;          /* statements that use it, and one for being linked */
  MemoryContext cxt; /* owns the entry and all below it */
  Size bytes;        /* of cxt, pooled states included; counted in rc_stats.bytes while linked */
  uint64 hits;
  struct RcPooled* idle; /* states that no statement uses */
  int nidle;
  int nstates;       /* all pooled sets of states, used or not */
  int npooled;       /* expressions served RC_SERVED_POOLED */
  RcColumn* columns; /* that they read, each once */
  int ncolumns;
  bool columns_fit; /* the table of the request that found the entry last has them as expected */
  int nexprs;
  RcExpr exprs[FLEXIBLE_ARRAY_MEMBER];
} RcEntry;

/* What is asked for: the expressions of one table, or one trigger, as the catalog has them now. */
typedef struct RcRequest {
  Oid relid;
  Oid trigid;
  TupleDesc desc; /* of the table */
  uint64 changes; /* rc_relation_changes when the texts were read out of desc, or 0: they do not
                     come from desc, or desc is not what the relation cache would build now */
  int ntexts;
  const ConstrCheck* checks; /* NULL for a trigger */
  char* condition;           /* NULL for a table */
} RcRequest;

static inline char* RcRequestText(const RcRequest* request, int i) {
  return request->checks != NULL ? request->checks[i].ccbin : request->condition;
}

/* A statement's claim on an entry. */
typedef struct RcHold {
  RcEntry* entry; /* NULL: none */
  struct RcPooled* states;
  uint64 abort_epoch;
} RcHold;

typedef struct RcStats {
  int64 entries;
  int64 bytes;
  int64 hits;
  int64 builds;
  int64 stale; /* entries found not to fit the catalog any more */
  int64 evictions;
  int64 states_built;
  int64 states_reused;
  int64 rows_routed_early;
} RcStats;

extern RcStats rc_stats;

extern void RcEntryInit(void);
extern RcEntry* RcEntryFind(const RcRequest* request, bool may_plan);
/* Called once, when all expressions of an entry have their trees: notes the columns that compiled
 * ones read. */
extern void RcEntryNoteColumns(RcEntry* entry);
extern void RcEntryMatched(RcEntry* entry, const RcRequest* request);
extern RcEntry* RcEntryNew(const RcRequest* request, bool may_plan, MemoryContext parent);
extern void RcEntryPublish(RcEntry* entry);
extern void RcEntryUnlink(RcEntry* entry);
extern void RcEntryRelease(RcEntry* entry);
extern void RcEntryResized(RcEntry* entry, Size bytes);
extern void RcEntryEvict(void);
extern void RcEntryDropAll(void);
extern void RcEntryForEach(void (*visit)(RcEntry* entry, void* arg), void* arg);

/* ---- pool.c ---- */

/* Compiled forms of those expressions of an entry that may be kept compiled, NULL for the others.
 */
typedef struct RcPooled {
  struct RcPooled* next;
  MemoryContext cxt; /* a child of the entry's; owns this and the states */
  Size bytes_new;    /* of cxt when the states were just made */
  Size bytes;        /* ... and when they were last given back */
  ExprState* states[FLEXIBLE_ARRAY_MEMBER];
} RcPooled;

extern void RcPoolInit(void);
extern RcPooled* RcPooledNew(RcEntry* entry, MemoryContext parent);
extern RcPooled* RcPooledTake(RcEntry* entry);
extern void RcPooledFinish(RcEntry* entry, RcPooled* pooled);
extern void RcHoldEntry(RcHold* hold, RcEntry* entry);
extern void RcHoldEnd(RcHold* hold);

/* ---- serve.c ---- */

/*
 * The compiled expressions of a request, made at this moment as the stock server would make them.
 * Called in, and the result lives as long as, estate->es_query_cxt; the caller ends the hold when
 * that goes. The one of WHEN (true) is NULL.
 */
extern ExprState** RcServe(const RcRequest* request, EState* estate, RcHold* hold);
extern ExprState* RcCompile(Node* planned, bool is_when);
extern Node* RcParse(const char* text, bool is_when);

/* ---- stub.c ---- */

extern void RcStubInit(void);
extern void RcStubRelation(ResultRelInfo* rri, EState* estate, CmdType operation);

/* ---- routing.c ---- */

extern void RcRoutingInit(void);
extern void RcRouteEarly(ModifyTableState* mtstate);

/* ---- tests only ---- */

/*
 * A test module may put a function here (by the rendezvous variable "relcache_checks_test_hook");
 * it is called at the places where a cache is most easily caught between two states.
 */
typedef void (*RcTestHook)(const char* place);
extern RcTestHook* rc_test_hook;

#define RC_TEST_PLACE(place)                                     \
  do {                                                           \
    if (unlikely(*rc_test_hook != NULL)) (*rc_test_hook)(place); \
  } while (0)

#pragma GCC visibility pop

#endif
