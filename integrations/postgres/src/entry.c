/*
 * The cache of entries.
 *
 * An entry is one memory context that holds the expressions of one table's CHECK constraints, or of
 * one trigger's WHEN. It is made below the statement that needs it first and becomes visible by one
 * step that cannot fail (RcEntryPublish); an error before that step leaves nothing behind but the
 * statement's own memory.
 *
 * A published entry never changes but for its pool. It is freed when its last user lets go: being
 * findable counts as one user, every statement that uses it as another. So an entry that a nested
 * statement replaces, that no longer fits the catalog, or that goes for want of room stays whole
 * for those who still run on it.
 *
 * The table is a plain array of chains, linked through the entries themselves: linking and
 * unlinking allocate nothing.
 */
#include "relcache_checks.h"

#include "common/hashfn.h"
#include "nodes/nodeFuncs.h"

RcStats rc_stats;

static MemoryContext table_cxt;
static RcEntry** buckets;
static uint32 nbuckets; /* a power of two */
static dlist_head lru = DLIST_STATIC_INIT(lru);

/* A table's entry and those of its triggers share a bucket. */
static inline RcEntry** Bucket(Oid relid) {
  return &buckets[murmurhash32(relid) & (nbuckets - 1)];
}

/*
 * A table was changed or dropped. Its entries would be found not to fit when they are asked for;
 * but those of a dropped table are never asked for again, and would stay until the cache is full.
 */
static void RelationChanged(Oid relid) {
  if (!OidIsValid(relid)) return;
  for (RcEntry *entry = *Bucket(relid), *next; entry != NULL; entry = next) {
    next = entry->chain;
    if (entry->relid == relid) {
      rc_stats.stale++;
      RcEntryUnlink(entry);
    }
  }
}

void RcEntryInit(void) {
  table_cxt = AllocSetContextCreate(TopMemoryContext, "relcache_checks", ALLOCSET_SMALL_SIZES);
  nbuckets = 64;
  buckets = MemoryContextAllocZero(table_cxt, nbuckets * sizeof(RcEntry*));
  RcWatchRelations(RelationChanged);
}

/*
 * Does the server's relation cache vouch for the texts? They were compared with what it held under
 * this very address, and it has heard of no change of any relation since; that is the condition
 * under which it goes on serving the description itself. The address alone would not do (a freed
 * description's may be used again), nor would an entry that awaits its rebuilding (after a rollback
 * to a savepoint that happens without an invalidation); such a request has no changes.
 */
static inline bool IsVouchedFor(const RcEntry* entry, const RcRequest* request) {
  return request->changes != 0 && entry->changes == request->changes &&
         entry->desc == request->desc;
}

static bool TextsAreEqual(const RcEntry* entry, const RcRequest* request) {
  if (entry->nexprs != request->ntexts) return false;
  for (int i = 0; i < entry->nexprs; i++)
    if (strcmp(entry->exprs[i].text, RcRequestText(request, i)) != 0) return false;
  return true;
}

/* Note the columns of a tree's Vars; system columns have a fixed type. */
static bool ColumnsWalker(Node* node, void* context) {
  RcEntry* entry = context;
  Var* var = (Var*)node;

  if (node == NULL) return false;
  if (!IsA(node, Var)) return expression_tree_walker(node, ColumnsWalker, context);
  if (var->varattno <= 0) return false;
  for (int i = 0; i < entry->ncolumns; i++)
    if (entry->columns[i].attnum == var->varattno && entry->columns[i].type == var->vartype)
      return false;
  if (entry->columns == NULL)
    entry->columns = MemoryContextAlloc(entry->cxt, sizeof(RcColumn));
  else
    entry->columns = repalloc(entry->columns, (entry->ncolumns + 1) * sizeof(RcColumn));
  entry->columns[entry->ncolumns].attnum = var->varattno;
  entry->columns[entry->ncolumns++].type = var->vartype;
  return false;
}

/* Called once, when all expressions of an entry have their trees. */
void RcEntryNoteColumns(RcEntry* entry) {
  for (int i = 0; i < entry->nexprs; i++)
    if (entry->exprs[i].verdict.served == RC_SERVED_POOLED)
      (void)ColumnsWalker(entry->exprs[i].planned, entry);
}

/*
 * A compiled expression looks at its columns' types when it is called first; in a pooled one that
 * has been done, so it is repeated here, from the table instead of the row and in a tenth of the
 * time.
 */
static bool ColumnsFit(const RcEntry* entry, TupleDesc desc) {
  for (int i = 0; i < entry->ncolumns; i++) {
    const RcColumn* column = &entry->columns[i];
    Form_pg_attribute attribute;

    if (column->attnum > desc->natts) return false;
    attribute = TupleDescAttr(desc, column->attnum - 1);
    if (attribute->attisdropped || attribute->atttypid != column->type) return false;
  }
  return true;
}

/* The entry's texts are those of the request. */
void RcEntryMatched(RcEntry* entry, const RcRequest* request) {
  entry->desc = request->desc;
  entry->changes = request->changes;
  entry->columns_fit = ColumnsFit(entry, request->desc);
}

static bool Fits(RcEntry* entry, const RcRequest* request, bool may_plan) {
  if (entry->generation != rc_generation || entry->may_plan != may_plan) return false;
  if (IsVouchedFor(entry, request)) return true;
  if (!TextsAreEqual(entry, request)) return false;
  RcEntryMatched(entry, request);
  return true;
}

/* The entry for what is asked, or NULL. One that was found not to fit any more is unlinked. */
RcEntry* RcEntryFind(const RcRequest* request, bool may_plan) {
  RcEntry* entry = *Bucket(request->relid);

  while (entry != NULL && (entry->relid != request->relid || entry->trigid != request->trigid))
    entry = entry->chain;
  if (entry == NULL) return NULL;
  if (!Fits(entry, request, may_plan)) {
    rc_stats.stale++;
    RcEntryUnlink(entry);
    return NULL;
  }
  dlist_move_head(&lru, &entry->lru);
  entry->hits++;
  rc_stats.hits++;
  return entry;
}

/* An empty entry whose context hangs below parent until it is published. The texts are in it; the
 * trees are not. */
RcEntry* RcEntryNew(const RcRequest* request, bool may_plan, MemoryContext parent) {
  MemoryContext cxt = AllocSetContextCreate(parent, "relcache_checks entry", RC_CONTEXT_SIZES);
  RcEntry* entry =
      MemoryContextAllocZero(cxt, offsetof(RcEntry, exprs) + request->ntexts * sizeof(RcExpr));

  entry->relid = request->relid;
  entry->trigid = request->trigid;
  entry->generation = rc_generation;
  entry->may_plan = may_plan;
  entry->cxt = cxt;
  entry->nexprs = request->ntexts;
  for (int i = 0; i < entry->nexprs; i++)
    entry->exprs[i].text = MemoryContextStrdup(cxt, RcRequestText(request, i));
  return entry;
}

/* Room for more chains; where there is no memory for that, the chains just get longer. */
static void GrowTable(void) {
  uint32 old_n = nbuckets;
  RcEntry** old = buckets;
  RcEntry** bigger = MemoryContextAllocExtended(table_cxt, 2 * old_n * sizeof(RcEntry*),
                                                MCXT_ALLOC_NO_OOM | MCXT_ALLOC_ZERO);

  if (bigger == NULL) return;
  buckets = bigger;
  nbuckets = 2 * old_n;
  for (uint32 i = 0; i < old_n; i++) {
    for (RcEntry *entry = old[i], *next; entry != NULL; entry = next) {
      RcEntry** bucket = Bucket(entry->relid);

      next = entry->chain;
      entry->chain = *bucket;
      *bucket = entry;
    }
  }
  pfree(old);
}

/*
 * Make an entry findable. Fails never. The caller has made sure that rc_generation is still the
 * entry's, and holds the entry already: what is published may be found too big at once.
 */
void RcEntryPublish(RcEntry* entry) {
  RcEntry** bucket = Bucket(entry->relid);

  /* Making it may have run a statement on the same table, which has published its own. */
  for (RcEntry* other = *bucket; other != NULL; other = other->chain) {
    if (other->relid == entry->relid && other->trigid == entry->trigid) {
      RcEntryUnlink(other);
      break;
    }
  }
  MemoryContextSetParent(entry->cxt, CacheMemoryContext);
  entry->chain = *bucket;
  *bucket = entry;
  dlist_push_head(&lru, &entry->lru);
  entry->linked = true;
  entry->refs++;
  entry->bytes = MemoryContextMemAllocated(entry->cxt, true);
  rc_stats.bytes += entry->bytes;
  rc_stats.builds++;
  if (++rc_stats.entries > nbuckets) GrowTable();
  RcEntryEvict();
}

void RcEntryUnlink(RcEntry* entry) {
  RcEntry** link = Bucket(entry->relid);

  Assert(entry->linked);
  while (*link != entry) link = &(*link)->chain;
  *link = entry->chain;
  dlist_delete(&entry->lru);
  entry->linked = false;
  rc_stats.bytes -= entry->bytes;
  rc_stats.entries--;
  RcEntryRelease(entry);
}

/* One user less; the last one frees it. */
void RcEntryRelease(RcEntry* entry) {
  Assert(entry->refs > 0);
  if (--entry->refs == 0) MemoryContextDelete(entry->cxt);
}

/* The entry's context, pool included, now has this many bytes. */
void RcEntryResized(RcEntry* entry, Size bytes) {
  if (entry->linked) rc_stats.bytes += (int64)bytes - (int64)entry->bytes;
  entry->bytes = bytes;
}

/* Bring the cache back under its limit, as far as no statement stands on it. */
void RcEntryEvict(void) {
  int64 limit = (int64)rc_cache_limit * 1024;
  dlist_node* node = dlist_is_empty(&lru) ? NULL : dlist_tail_node(&lru);

  while (node != NULL && rc_stats.bytes > limit) {
    RcEntry* entry = dlist_container(RcEntry, lru, node);

    node = dlist_has_prev(&lru, node) ? dlist_prev_node(&lru, node) : NULL;
    if (entry->refs == 1) {
      rc_stats.evictions++;
      RcEntryUnlink(entry);
    }
  }
}

void RcEntryDropAll(void) {
  dlist_mutable_iter iter;

  dlist_foreach_modify(iter, &lru) {
    RcEntryUnlink(dlist_container(RcEntry, lru, iter.cur));
  }
}

/* Visits all entries, the one used last first. The visitor must not change the cache. */
void RcEntryForEach(void (*visit)(RcEntry* entry, void* arg), void* arg) {
  dlist_iter iter;

  dlist_foreach(iter, &lru) {
    visit(dlist_container(RcEntry, lru, iter.cur), arg);
  }
}
