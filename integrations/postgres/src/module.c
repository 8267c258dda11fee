/*
 * Loading, and the one hook: after ExecutorStart, put stubs into the tables that the statement
 * writes.
 *
 * COPY and logical replication do not pass ExecutorStart; parallel workers pass it without result
 * relations. They run as in the stock server.
 */
#include "relcache_checks.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/rel.h"

PG_MODULE_MAGIC;

void _PG_init(void);

RcTestHook* rc_test_hook;

static ExecutorStart_hook_type previous_hook = NULL;

/* Most tables have neither constraints nor triggers; they are to pay next to nothing. */
static inline bool MayHaveExpressions(const ResultRelInfo* rri) {
  return rri->ri_RelationDesc->rd_att->constr != NULL || rri->ri_TrigDesc != NULL;
}

static inline void RouteEarlyIfAtAll(ModifyTableState* mtstate) {
  if (mtstate->mt_partition_tuple_routing != NULL && mtstate->operation == CMD_INSERT)
    RcRouteEarly(mtstate);
}

static void ServeStatement(QueryDesc* query, EState* estate) {
  ListCell* cell;

  foreach (cell, estate->es_opened_result_relations) {
    ResultRelInfo* rri = lfirst(cell);

    if (MayHaveExpressions(rri)) RcStubRelation(rri, estate, query->operation);
  }
  if (!rc_partition_routing) return;
  if (query->operation == CMD_INSERT && query->planstate != NULL &&
      IsA(query->planstate, ModifyTableState))
    RouteEarlyIfAtAll(castNode(ModifyTableState, query->planstate));
  foreach (cell, estate->es_auxmodifytables) RouteEarlyIfAtAll(lfirst(cell));
}

static void AfterExecutorStart(QueryDesc* query, int eflags) {
  EState* estate;

  if (previous_hook)
    previous_hook(query, eflags);
  else
    standard_ExecutorStart(query, eflags);
  estate = query->estate;
  if (rc_enabled && estate != NULL && estate->es_opened_result_relations != NIL &&
      (eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0)
    ServeStatement(query, estate);
}

void _PG_init(void) {
  rc_test_hook = (RcTestHook*)find_rendezvous_variable("relcache_checks_test_hook");
  RcWatchInit();
  RcRoutingInit();
  RcEntryInit();
  RcPoolInit();
  RcStubInit();
  RcDefineSettings(RcEntryEvict);
  previous_hook = ExecutorStart_hook;
  ExecutorStart_hook = AfterExecutorStart;
}
