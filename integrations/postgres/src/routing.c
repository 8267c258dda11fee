/*
 * Rows routed to partitions.
 *
 * A partition's ResultRelInfo is made when the first row is routed to it, and its constraints are
 * looked at at once. To have stubs there in time, the row is routed one step early: between the
 * plan's handing it over and ExecInsert, which routes it again and finds everything made. Nothing
 * that a user could see lies between the two: BEFORE STATEMENT triggers have run, BEFORE ROW
 * triggers run after routing, and routing asks for nothing but the row as it is.
 *
 * Routing twice costs little but not nothing, so a statement has a budget of rows, more for every
 * new partition; when it is used up, the plan is called directly again. Only INSERT is served: a
 * row that UPDATE or MERGE moves takes the stock way.
 *
 * The key of a row is computed twice. For a key that is a column, compared by the server's own
 * functions, nobody can tell; a table that is partitioned, at any level, by an expression or with
 * other functions is left alone.
 */
#include "relcache_checks.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_partitioned_table.h"
#include "executor/execPartition.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "partitioning/partdesc.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

/* Rows routed early: at first, and for every partition that a row was the first to reach. */
#define BUDGET 64

/* ---- which tables ---- */

/*
 * What is known of partitioned tables: for a table that a statement names, whether it may be routed
 * early; and all partitioned tables below and above it, so that a change of one of them is noticed.
 * A change of any empties the whole.
 */
typedef struct Known {
  Oid relid;
  bool judged; /* else only here to be noticed */
  bool may_route_early;
} Known;

static HTAB* known;
static bool known_is_stale;

static void RelationChanged(Oid relid) {
  if (!OidIsValid(relid) || hash_search(known, &relid, HASH_FIND, NULL) != NULL)
    known_is_stale = true;
}

static void NewKnown(void) {
  HASHCTL ctl = {0};

  ctl.keysize = sizeof(Oid);
  ctl.entrysize = sizeof(Known);
  ctl.hcxt = TopMemoryContext;
  known = hash_create("relcache_checks partitioned tables", 16, &ctl,
                      HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

void RcRoutingInit(void) {
  NewKnown();
  RcWatchRelations(RelationChanged);
}

static Known* Remember(Oid relid) {
  bool found;
  Known* entry = hash_search(known, &relid, HASH_ENTER, &found);

  if (!found) entry->judged = entry->may_route_early = false;
  return entry;
}

/* Is one partitioned table's key made of columns and the server's own operator classes? */
static bool KeyIsPlain(Oid relid) {
  HeapTuple tuple = SearchSysCache1(PARTRELID, ObjectIdGetDatum(relid));
  bool no_expressions;
  bool plain;
  Datum datum;
  bool isnull;

  if (!HeapTupleIsValid(tuple)) return false;
  (void)SysCacheGetAttr(PARTRELID, tuple, Anum_pg_partitioned_table_partexprs, &no_expressions);
  datum = SysCacheGetAttr(PARTRELID, tuple, Anum_pg_partitioned_table_partclass, &isnull);
  plain = no_expressions && !isnull;
  if (plain) {
    oidvector* classes = (oidvector*)DatumGetPointer(datum);

    for (int i = 0; i < classes->dim1; i++)
      plain = plain && classes->values[i] < FirstUnpinnedObjectId;
  }
  ReleaseSysCache(tuple);
  return plain;
}

/* The same of a table and all partitioned tables below it. All of them are remembered, to notice
 * changes. */
static bool KeysArePlain(Oid relid) {
  List* children;
  ListCell* cell;
  bool plain;

  check_stack_depth();
  (void)Remember(relid);
  plain = KeyIsPlain(relid);
  if (!plain) return false;
  children = find_inheritance_children(relid, NoLock);
  foreach (cell, children) {
    Oid child = lfirst_oid(cell);

    if (get_rel_relkind(child) == RELKIND_PARTITIONED_TABLE && !KeysArePlain(child)) {
      plain = false;
      break;
    }
  }
  list_free(children);
  return plain;
}

/*
 * The same of a table's ancestors: if the table that is named is a partition itself, routing begins
 * by checking that the row belongs there, with the ancestors' keys.
 */
static bool AncestorsArePlain(Oid relid) {
  List* ancestors;
  ListCell* cell;
  bool plain = true;

  if (!get_rel_relispartition(relid)) return true;
  ancestors = get_partition_ancestors(relid);
  foreach (cell, ancestors) {
    (void)Remember(lfirst_oid(cell));
    plain = plain && KeyIsPlain(lfirst_oid(cell));
  }
  list_free(ancestors);
  return plain;
}

static bool MayRouteEarly(Oid relid) {
  Known* entry;
  bool plain;

  if (known_is_stale) {
    /* If there is no memory for a new table, it stays stale and is tried again. */
    HTAB* old = known;

    NewKnown();
    known_is_stale = false;
    hash_destroy(old);
  }
  entry = hash_search(known, &relid, HASH_FIND, NULL);
  if (entry != NULL && entry->judged) return entry->may_route_early;
  plain = KeysArePlain(relid) && AncestorsArePlain(relid);
  entry = Remember(relid);
  entry->judged = true;
  entry->may_route_early = plain;
  return plain;
}

/* ---- the wrapped plan ---- */

typedef struct Wrapped {
  struct Wrapped* next;
  PlanState* source;
  ExecProcNodeMtd original; /* what source would be called by without us */
  ModifyTableState* mtstate;
  int budget;
  MemoryContextCallback callback;
} Wrapped;

/* Of all statements under way; a handful at most. */
static Wrapped* all_wrapped;

static void Forget(void* arg) {
  Wrapped** link = &all_wrapped;

  while (*link != NULL && *link != arg) link = &(*link)->next;
  if (*link != NULL) *link = (*link)->next;
}

static void RouteEarly(Wrapped* wrapped, TupleTableSlot* slot) {
  ModifyTableState* mtstate = wrapped->mtstate;
  EState* estate = mtstate->ps.state;
  int before = list_length(estate->es_tuple_routing_result_relations);
  ResultRelInfo* rri = ExecFindPartition(mtstate, mtstate->resultRelInfo,
                                         mtstate->mt_partition_tuple_routing, slot, estate);

  rc_stats.rows_routed_early++;
  wrapped->budget--;
  if (list_length(estate->es_tuple_routing_result_relations) > before) {
    wrapped->budget += BUDGET;
    RcStubRelation(rri, estate, CMD_INSERT);
  }
}

/*
 * Stands in place of the source's own function. Others may have wrapped us in turn: whatever stands
 * there when we are called stands there when we return, but for ourselves once the budget is used
 * up. The source's function may change at its first call (ExecProcNodeFirst does), which is why it
 * has to run in its own place.
 */
static TupleTableSlot* CallWrapped(PlanState* source) {
  Wrapped* wrapped = all_wrapped;
  ExecProcNodeMtd in_place = source->ExecProcNode;
  TupleTableSlot* slot;

  while (wrapped->source != source) wrapped = wrapped->next;
  source->ExecProcNode = wrapped->original;
  slot = source->ExecProcNode(source);
  wrapped->original = source->ExecProcNode;
  source->ExecProcNode = in_place;
  if (!TupIsNull(slot) && wrapped->budget > 0) RouteEarly(wrapped, slot);
  if (wrapped->budget <= 0 && source->ExecProcNode == CallWrapped)
    source->ExecProcNode = wrapped->original;
  return slot;
}

/* Are the plan's rows those of the table, as ExecCheckPlanOutput will demand? It has not run yet
 * when we route. */
static bool RowsFit(PlanState* source, Relation relation) {
  TupleDesc desc = RelationGetDescr(relation);
  int n = 0;
  ListCell* cell;

  foreach (cell, source->plan->targetlist) {
    TargetEntry* entry = lfirst(cell);
    Form_pg_attribute attribute;

    if (entry->resjunk || n >= desc->natts) return false;
    attribute = TupleDescAttr(desc, n++);
    if (!attribute->attisdropped && exprType((Node*)entry->expr) != attribute->atttypid)
      return false;
  }
  return n == desc->natts;
}

/* Called after ExecutorStart for every ModifyTable node that inserts rows and may route them. */
void RcRouteEarly(ModifyTableState* mtstate) {
  EState* estate = mtstate->ps.state;
  PlanState* source = RC_MODIFY_TABLE_SOURCE(mtstate);
  Relation relation;
  Wrapped* wrapped;

  if (source == NULL) return;
  RC_TEST_PLACE("routing");
  relation = mtstate->resultRelInfo->ri_RelationDesc;
  if (!RowsFit(source, relation) || !MayRouteEarly(RelationGetRelid(relation))) return;
  wrapped = MemoryContextAllocZero(estate->es_query_cxt, sizeof(Wrapped));
  wrapped->source = source;
  wrapped->original = source->ExecProcNode;
  wrapped->mtstate = mtstate;
  wrapped->budget = BUDGET;
  wrapped->callback.func = Forget;
  wrapped->callback.arg = wrapped;
  wrapped->next = all_wrapped;
  all_wrapped = wrapped;
  MemoryContextRegisterResetCallback(estate->es_query_cxt, &wrapped->callback);
  source->ExecProcNode = CallWrapped;
}
