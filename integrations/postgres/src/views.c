/*
 * What an administrator sees: the functions below the extension's views
 * (sql/relcache_checks--1.0.sql).
 */
#include "relcache_checks.h"

#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/resowner.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(relcache_checks_stats);
PG_FUNCTION_INFO_V1(relcache_checks_blocks);
PG_FUNCTION_INFO_V1(relcache_checks_judge);
PG_FUNCTION_INFO_V1(relcache_checks_reset);

static Datum TextOrNull(const char* text, bool* isnull) {
  *isnull = text == NULL;
  return text == NULL ? (Datum)0 : CStringGetTextDatum(text);
}

/* The counters of this session, one row. */
Datum relcache_checks_stats(PG_FUNCTION_ARGS) {
  Datum values[10];
  bool nulls[10] = {0};
  TupleDesc desc;

  if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE ||
      desc->natts != lengthof(values))
    elog(ERROR,
         "relcache_checks: the extension's script and its library are of different versions");
  values[0] = Int64GetDatum(rc_stats.entries);
  values[1] = Int64GetDatum(rc_stats.bytes);
  values[2] = Int64GetDatum((int64)rc_cache_limit * 1024);
  values[3] = Int64GetDatum(rc_stats.hits);
  values[4] = Int64GetDatum(rc_stats.builds);
  values[5] = Int64GetDatum(rc_stats.stale);
  values[6] = Int64GetDatum(rc_stats.evictions);
  values[7] = Int64GetDatum(rc_stats.states_built);
  values[8] = Int64GetDatum(rc_stats.states_reused);
  values[9] = Int64GetDatum(rc_stats.rows_routed_early);
  PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}

/* One expression as a row; copied first, for putting it into words may change the cache. */
typedef struct Row {
  Oid relid;
  Oid trigid;
  int number;
  char* text;
  RcVerdict verdict;
  int64 bytes;
  int64 hits;
  int users;
  int nstates;
  int nidle;
} Row;

static void CollectRows(RcEntry* entry, void* arg) {
  List** rows = arg;

  for (int i = 0; i < entry->nexprs; i++) {
    Row* row = palloc(sizeof(Row));

    row->relid = entry->relid;
    row->trigid = entry->trigid;
    row->number = i + 1;
    row->text = pstrdup(entry->exprs[i].text);
    row->verdict = entry->exprs[i].verdict;
    row->bytes = entry->bytes;
    row->hits = entry->hits;
    row->users = entry->refs - 1;
    row->nstates = entry->nstates;
    row->nidle = entry->nidle;
    *rows = lappend(*rows, row);
  }
}

/* The expressions in this session's cache. */
Datum relcache_checks_blocks(PG_FUNCTION_ARGS) {
  ReturnSetInfo* result = (ReturnSetInfo*)fcinfo->resultinfo;
  List* rows = NIL;
  ListCell* cell;

  InitMaterializedSRF(fcinfo, 0);
  RcEntryForEach(CollectRows, &rows);
  foreach (cell, rows) {
    Row* row = lfirst(cell);
    Datum values[11];
    bool nulls[11] = {0};

    values[0] = ObjectIdGetDatum(row->relid);
    values[1] = ObjectIdGetDatum(row->trigid);
    nulls[1] = !OidIsValid(row->trigid);
    values[2] = Int32GetDatum(row->number);
    values[3] = CStringGetTextDatum(row->text);
    values[4] = CStringGetTextDatum(RcServedText(row->verdict.served));
    values[5] = TextOrNull(RcReasonText(&row->verdict), &nulls[5]);
    values[6] = Int64GetDatum(row->bytes);
    values[7] = Int64GetDatum(row->hits);
    values[8] = Int32GetDatum(row->users);
    values[9] = Int32GetDatum(row->nstates);
    values[10] = Int32GetDatum(row->nidle);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  return (Datum)0;
}

/*
 * Plan an expression of built-in functions that may fail ("x > 1/0"). Returns NULL and the message
 * if it does.
 */
static Node* TryToPlan(Node* parsed, char** message) {
  MemoryContext cxt = CurrentMemoryContext;
  ResourceOwner owner = CurrentResourceOwner;
  Node* volatile planned = NULL;

  BeginInternalSubTransaction(NULL);
  MemoryContextSwitchTo(cxt);
  PG_TRY();
  {
    planned = (Node*)expression_planner((Expr*)copyObject(parsed));
    ReleaseCurrentSubTransaction();
  }
  PG_CATCH();
  {
    ErrorData* error;

    MemoryContextSwitchTo(cxt);
    error = CopyErrorData();
    if (error->sqlerrcode == ERRCODE_QUERY_CANCELED) PG_RE_THROW();
    FlushErrorState();
    RollbackAndReleaseCurrentSubTransaction();
    *message = error->message;
  }
  PG_END_TRY();
  MemoryContextSwitchTo(cxt);
  CurrentResourceOwner = owner;
  return planned;
}

/* How an expression of the catalog will be served, and why no further. Needs no row and no lock. */
Datum relcache_checks_judge(PG_FUNCTION_ARGS) {
  char* expression = text_to_cstring(PG_GETARG_TEXT_PP(0));
  bool is_when = PG_GETARG_BOOL(1);
  Node* parsed = RcParse(expression, is_when);
  RcVerdict verdict;
  char* reason = NULL;
  Datum values[2];
  bool nulls[2] = {0};
  TupleDesc desc;

  if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE ||
      desc->natts != lengthof(values))
    elog(ERROR,
         "relcache_checks: the extension's script and its library are of different versions");
  if (RcMayKeepPlan(parsed, &verdict)) {
    Node* planned = TryToPlan(parsed, &reason);

    if (planned != NULL)
      RcJudgePlan(parsed, planned, &verdict);
    else {
      verdict.served = RC_SERVED_PARSED;
      reason = psprintf("cannot be planned: %s", reason);
    }
  }
  if (reason == NULL) reason = RcReasonText(&verdict);
  values[0] = CStringGetTextDatum(RcServedText(verdict.served));
  values[1] = TextOrNull(reason, &nulls[1]);
  PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}

/* Empty this session's cache and begin to count anew. Statements under way keep what they use. */
Datum relcache_checks_reset(PG_FUNCTION_ARGS) {
  RcEntryDropAll();
  memset(&rc_stats, 0, sizeof(rc_stats));
  PG_RETURN_VOID();
}
