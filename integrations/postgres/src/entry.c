/*
 * The cache of blocks.
 *
 * A block is one memory context that holds the expressions of one table's CHECK constraints, or of
 * one trigger's WHEN. It is made below the statement that needs it first and becomes visible by one
 * step that cannot fail (RcBlockPublish); an error before that step leaves nothing behind but the
 * statement's own memory.
 *
 * A published block never changes but for its pool. It is freed when its last user lets go: being
 * findable counts as one user, every statement that uses it as another. So a block that a nested
 * statement replaces, that no longer fits the catalog, or that goes for want of room stays whole
 * for those who still run on it.
 *
 * The table is a plain array of chains, linked through the blocks themselves: linking and unlinking
 * allocate nothing.
 */
#include "relcache_checks.h"

#include "common/hashfn.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/syscache.h"

RcStats rc_stats;

/* Counts the changes of those functions and operators that kept plans may rely on. */
uint64 rc_generation = 1;

/* Counts the invalidations of relations, of any of them: see IsVouchedFor. */
uint64 rc_relation_changes = 1;

static MemoryContext table_cxt;
static RcBlock** buckets;
static uint32 nbuckets; /* a power of two */
static dlist_head lru = DLIST_STATIC_INIT(lru);

/* Hash values (of the server's own catalog cache) of the functions that verdicts were based on. */
static HTAB* watched;

/* A table's block and those of its triggers share a bucket. */
static inline RcBlock** Bucket(Oid relid) {
  return &buckets[murmurhash32(relid) & (nbuckets - 1)];
}

/*
 * An invalidation message for a function or an operator, or for everything (hashvalue 0). Functions
 * of users come and go without touching a plan that is kept, for no such plan names one; only those
 * looked at before count.
 */
static void ProcChanged(Datum arg, int cacheid, uint32 hashvalue) {
  if (hashvalue == 0 || hash_search(watched, &hashvalue, HASH_FIND, NULL) != NULL) rc_generation++;
}

static void OperatorChanged(Datum arg, int cacheid, uint32 hashvalue) {
  rc_generation++;
}

/*
 * A table was changed or dropped. Its blocks would be found not to fit when they are asked for; but
 * those of a dropped table are never asked for again, and would stay until the cache is full. (One
 * callback for all of the extension: the server has room for ten.)
 */
static void RelationChanged(Datum arg, Oid relid) {
  rc_relation_changes++;
  RcRoutingRelationChanged(relid);
  if (!OidIsValid(relid)) return;
  for (RcBlock *block = *Bucket(relid), *next; block != NULL; block = next) {
    next = block->chain;
    if (block->relid == relid) {
      rc_stats.stale++;
      RcBlockUnlink(block);
    }
  }
}

void RcBlockInit(void) {
  HASHCTL ctl = {0};

  table_cxt = AllocSetContextCreate(TopMemoryContext, "relcache_checks", ALLOCSET_SMALL_SIZES);
  nbuckets = 64;
  buckets = MemoryContextAllocZero(table_cxt, nbuckets * sizeof(RcBlock*));
  ctl.keysize = sizeof(uint32);
  ctl.entrysize = sizeof(uint32);
  ctl.hcxt = table_cxt;
  watched =
      hash_create("relcache_checks functions", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
  CacheRegisterSyscacheCallback(PROCOID, ProcChanged, (Datum)0);
  CacheRegisterSyscacheCallback(OPEROID, OperatorChanged, (Datum)0);
  CacheRegisterRelcacheCallback(RelationChanged, (Datum)0);
}

/* From now on a change of this function makes every block stale. Called before the function's row
 * is read. */
void RcWatchFunction(Oid funcid) {
  uint32 hashvalue = GetSysCacheHashValue1(PROCOID, ObjectIdGetDatum(funcid));

  (void)hash_search(watched, &hashvalue, HASH_ENTER, NULL);
}

/*
 * Does the server's relation cache vouch for the texts? They were compared with what it held under
 * this very address, and it has heard of no change of any relation since; that is the condition
 * under which it goes on serving the description itself. The address alone would not do (a freed
 * description's may be used again), nor would an entry that awaits its rebuilding (after a rollback
 * to a savepoint that happens without an invalidation); such a request has no changes.
 */
static inline bool IsVouchedFor(const RcBlock* block, const RcRequest* request) {
  return request->changes != 0 && block->changes == request->changes &&
         block->desc == request->desc;
}

static bool TextsAreEqual(const RcBlock* block, const RcRequest* request) {
  if (block->nexprs != request->ntexts) return false;
  for (int i = 0; i < block->nexprs; i++)
    if (strcmp(block->exprs[i].text, RcRequestText(request, i)) != 0) return false;
  return true;
}

/* The block's texts are those of the request. */
void RcBlockMatched(RcBlock* block, const RcRequest* request) {
  block->desc = request->desc;
  block->changes = request->changes;
  block->columns_fit = RcColumnsFit(block, request->desc);
}

static bool Fits(RcBlock* block, const RcRequest* request, bool may_plan) {
  if (block->generation != rc_generation || block->may_plan != may_plan) return false;
  if (IsVouchedFor(block, request)) return true;
  if (!TextsAreEqual(block, request)) return false;
  RcBlockMatched(block, request);
  return true;
}

/* The block for what is asked, or NULL. One that was found not to fit any more is unlinked. */
RcBlock* RcBlockFind(const RcRequest* request, bool may_plan) {
  RcBlock* block = *Bucket(request->relid);

  while (block != NULL && (block->relid != request->relid || block->trigid != request->trigid))
    block = block->chain;
  if (block == NULL) return NULL;
  if (!Fits(block, request, may_plan)) {
    rc_stats.stale++;
    RcBlockUnlink(block);
    return NULL;
  }
  dlist_move_head(&lru, &block->lru);
  block->hits++;
  rc_stats.hits++;
  return block;
}

/* An empty block whose context hangs below parent until it is published. The texts are in it; the
 * trees are not. */
RcBlock* RcBlockNew(const RcRequest* request, bool may_plan, MemoryContext parent) {
  MemoryContext cxt = AllocSetContextCreate(parent, "relcache_checks block", RC_CONTEXT_SIZES);
  RcBlock* block =
      MemoryContextAllocZero(cxt, offsetof(RcBlock, exprs) + request->ntexts * sizeof(RcExpr));

  block->relid = request->relid;
  block->trigid = request->trigid;
  block->generation = rc_generation;
  block->may_plan = may_plan;
  block->cxt = cxt;
  block->nexprs = request->ntexts;
  for (int i = 0; i < block->nexprs; i++)
    block->exprs[i].text = MemoryContextStrdup(cxt, RcRequestText(request, i));
  return block;
}

/* Room for more chains; where there is no memory for that, the chains just get longer. */
static void GrowTable(void) {
  uint32 old_n = nbuckets;
  RcBlock** old = buckets;
  RcBlock** bigger = MemoryContextAllocExtended(table_cxt, 2 * old_n * sizeof(RcBlock*),
                                                MCXT_ALLOC_NO_OOM | MCXT_ALLOC_ZERO);

  if (bigger == NULL) return;
  buckets = bigger;
  nbuckets = 2 * old_n;
  for (uint32 i = 0; i < old_n; i++) {
    for (RcBlock *block = old[i], *next; block != NULL; block = next) {
      RcBlock** bucket = Bucket(block->relid);

      next = block->chain;
      block->chain = *bucket;
      *bucket = block;
    }
  }
  pfree(old);
}

/*
 * Make a block findable. Fails never. The caller has made sure that rc_generation is still the
 * block's, and holds the block already: what is published may be found too big at once.
 */
void RcBlockPublish(RcBlock* block) {
  RcBlock** bucket = Bucket(block->relid);

  /* Making it may have run a statement on the same table, which has published its own. */
  for (RcBlock* other = *bucket; other != NULL; other = other->chain) {
    if (other->relid == block->relid && other->trigid == block->trigid) {
      RcBlockUnlink(other);
      break;
    }
  }
  MemoryContextSetParent(block->cxt, CacheMemoryContext);
  block->chain = *bucket;
  *bucket = block;
  dlist_push_head(&lru, &block->lru);
  block->linked = true;
  block->refs++;
  block->bytes = MemoryContextMemAllocated(block->cxt, true);
  rc_stats.bytes += block->bytes;
  rc_stats.builds++;
  if (++rc_stats.blocks > nbuckets) GrowTable();
  RcBlockEvict();
}

void RcBlockUnlink(RcBlock* block) {
  RcBlock** link = Bucket(block->relid);

  Assert(block->linked);
  while (*link != block) link = &(*link)->chain;
  *link = block->chain;
  dlist_delete(&block->lru);
  block->linked = false;
  rc_stats.bytes -= block->bytes;
  rc_stats.blocks--;
  RcBlockRelease(block);
}

/* One user less; the last one frees it. */
void RcBlockRelease(RcBlock* block) {
  Assert(block->refs > 0);
  if (--block->refs == 0) MemoryContextDelete(block->cxt);
}

/* The block's context, pool included, now has this many bytes. */
void RcBlockResized(RcBlock* block, Size bytes) {
  if (block->linked) rc_stats.bytes += (int64)bytes - (int64)block->bytes;
  block->bytes = bytes;
}

/* Bring the cache back under its limit, as far as no statement stands on it. */
void RcBlockEvict(void) {
  int64 limit = (int64)rc_cache_limit * 1024;
  dlist_node* node = dlist_is_empty(&lru) ? NULL : dlist_tail_node(&lru);

  while (node != NULL && rc_stats.bytes > limit) {
    RcBlock* block = dlist_container(RcBlock, lru, node);

    node = dlist_has_prev(&lru, node) ? dlist_prev_node(&lru, node) : NULL;
    if (block->refs == 1) {
      rc_stats.evictions++;
      RcBlockUnlink(block);
    }
  }
}

void RcBlockDropAll(void) {
  dlist_mutable_iter iter;

  dlist_foreach_modify(iter, &lru) {
    RcBlockUnlink(dlist_container(RcBlock, lru, iter.cur));
  }
}

/* Visits all blocks, the one used last first. The visitor must not change the cache. */
void RcBlockForEach(void (*visit)(RcBlock* block, void* arg), void* arg) {
  dlist_iter iter;

  dlist_foreach(iter, &lru) {
    visit(dlist_container(RcBlock, lru, iter.cur), arg);
  }
}
