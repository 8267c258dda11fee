/*
 * Test module: makes bad moments happen.
 *
 * relcache_checks_test.discard = on accepts every invalidation, as debug_discard_caches does where a server was built
 * with it: at each ExecutorStart (before and after the extension's own work), amid the extension's loads, and after each
 * row that a plan hands to INSERT, UPDATE, DELETE or MERGE.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/memutils.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

typedef void (*TestHook) (const char *place);

static bool discard = false;
static int64 discarded = 0;
static ExecutorStart_hook_type previous_start = NULL;

static void
Discard(const char *place)
{
	if (discard)
	{
		discarded++;
		InvalidateSystemCaches();
	}
}

/* ---- between rows ---- */

typedef struct Wrapped
{
	struct Wrapped *next;
	PlanState  *source;
	ExecProcNodeMtd original;
	MemoryContextCallback callback;
} Wrapped;

static Wrapped *all_wrapped;

static void
Forget(void *arg)
{
	Wrapped   **link = &all_wrapped;

	while (*link != arg)
		link = &(*link)->next;
	*link = (*link)->next;
}

static TupleTableSlot *
CallWrapped(PlanState *source)
{
	Wrapped    *wrapped = all_wrapped;
	TupleTableSlot *slot;

	while (wrapped->source != source)
		wrapped = wrapped->next;
	source->ExecProcNode = wrapped->original;
	slot = source->ExecProcNode(source);
	wrapped->original = source->ExecProcNode;
	source->ExecProcNode = CallWrapped;
	Discard("row");
	return slot;
}

static void
WrapSource(ModifyTableState *mtstate, EState *estate)
{
	Wrapped    *wrapped = MemoryContextAllocZero(estate->es_query_cxt, sizeof(Wrapped));

	wrapped->source = outerPlanState(mtstate);
	wrapped->original = wrapped->source->ExecProcNode;
	wrapped->callback.func = Forget;
	wrapped->callback.arg = wrapped;
	wrapped->next = all_wrapped;
	all_wrapped = wrapped;
	MemoryContextRegisterResetCallback(estate->es_query_cxt, &wrapped->callback);
	wrapped->source->ExecProcNode = CallWrapped;
}

static void
ExecutorStartWithDiscard(QueryDesc *query, int eflags)
{
	ListCell   *cell;

	Discard("before ExecutorStart");
	if (previous_start)
		previous_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
	Discard("after ExecutorStart");
	if (!discard || (eflags & EXEC_FLAG_EXPLAIN_ONLY))
		return;
	if (query->planstate && IsA(query->planstate, ModifyTableState))
		WrapSource((ModifyTableState *) query->planstate, query->estate);
	foreach(cell, query->estate->es_auxmodifytables)
		if (lfirst(cell) != query->planstate)
			WrapSource(lfirst(cell), query->estate);
}

PG_FUNCTION_INFO_V1(relcache_checks_test_discarded);

/* How often everything was invalidated, to show that the test tests something. */
Datum
relcache_checks_test_discarded(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(discarded);
}

void
_PG_init(void)
{
	TestHook   *hook = (TestHook *) find_rendezvous_variable("relcache_checks_test_hook");

	*hook = Discard;
	DefineCustomBoolVariable("relcache_checks_test.discard", "Accepts every invalidation all the time.", NULL,
							 &discard, false, PGC_USERSET, 0, NULL, NULL, NULL);
	previous_start = ExecutorStart_hook;
	ExecutorStart_hook = ExecutorStartWithDiscard;
}
