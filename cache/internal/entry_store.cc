#include "relcache/cache/internal/entry_store.h"

#include <algorithm>
#include <bitset>
#include <string>
#include <utility>

#include "relcache/base/check.h"
#include "relcache/base/internal/format.h"
#include "relcache/cache/relation_descriptor.h"

namespace relcache::internal {

namespace {

constexpr std::size_t kPinFilterBits = 16384;
std::size_t FilterBit(const CacheEntry* name) noexcept {
  return (reinterpret_cast<std::uintptr_t>(name) * std::uint64_t{0x9E3779B97F4A7C15u}) >> 50;
}

}  // namespace

EntryStore::EntryStore(std::size_t budget, bool use_membarrier, const TreeOptions& trees)
    : blocks_(use_membarrier), budget_(budget), trees_(trees) {}

EntryStore::~EntryStore() {
  InvalidateAll();
  RELCACHE_CHECK(tickets_.empty());
  if (!graveyard_.empty()) {
    // The program would use memory that is freed here, so it is stopped, with a message that names
    // the relation.
    const RelationDescriptor* first = graveyard_.begin()->descriptor();
    CheckFailed(__FILE__, __LINE__, "a pin outlives its cache",
                Format("{} versions are pinned, the first of relation {}{}", graveyard_.size(),
                       graveyard_.begin()->oid(),
                       first == nullptr ? std::string() : " " + std::string(first->name())));
  }
}

// --- Open and close -----------------------------------------------------------------------------

}  // namespace relcache::internal

namespace relcache {

bool RelationPin::stale() const noexcept {
  return slot_ != nullptr &&
         slot_->load(std::memory_order_relaxed)->stale.load(std::memory_order_acquire);
}

void RelationPin::CloseHeld() noexcept {
  internal::EntryStore::Close(*std::exchange(slot_, nullptr));
  descriptor_ = nullptr;
}

}  // namespace relcache

namespace relcache::internal {

/// Frees the version if it is in the graveyard and has no pins. `name` may have been freed already,
/// or may be the address of another version by now. In that case the decision is made for the
/// latter and is correct for it.
void EntryStore::FreeIfDead(const CacheEntry* name) noexcept {
  CacheEntry* dead = nullptr;
  {
    const sync::MutexLock lock(blocks_.mutex());
    const auto found = graveyard_.find(name);
    if (found == graveyard_.end() || blocks_.Pinned(name)) return;
    dead = &*found;
    graveyard_.erase(found);
  }
  Free(*dead);
}

void EntryStore::Free(CacheEntry& entry) noexcept {
  bytes_.fetch_sub(entry.bytes(), std::memory_order_relaxed);
  CacheEntry::Deleter()(&entry);
}

// --- Load ---------------------------------------------------------------------------------------

LoadTicket* EntryStore::FindTicket(Oid oid) noexcept {
  for (LoadTicket& ticket : tickets_) {
    if (ticket.oid == oid) return &ticket;
  }
  return nullptr;
}

Result<RelationPin> EntryStore::PinOrStart(LoadTicket& ticket) {
  for (;;) {
    {
      const sync::MutexLock lock(blocks_.mutex());
      while (const LoadTicket* other = FindTicket(ticket.oid)) {
        if (other->loader == ticket.loader) {
          return Fail(ErrorCode::kSource, "XX000",
                      "relation with OID " + std::to_string(ticket.oid) +
                          " was opened while the same thread was loading it");
        }
        load_ended_.Wait(blocks_.mutex());
      }
      if (table_.Find(ticket.oid) == nullptr) {
        ticket.cancelled = !publishing_;
        tickets_.push_back(ticket);
        return RelationPin();
      }
    }
    if (RelationPin pin = TryPin(ticket.oid)) return pin;
  }
}

bool EntryStore::TryStart(LoadTicket& ticket) noexcept {
  const sync::MutexLock lock(blocks_.mutex());
  if (FindTicket(ticket.oid) != nullptr || table_.Find(ticket.oid) != nullptr) return false;
  ticket.cancelled = !publishing_;
  tickets_.push_back(ticket);
  return true;
}

RelationPin EntryStore::Finish(LoadTicket& ticket, CacheEntry::Ptr entry) {
  if (!blocks_.ready())
    blocks_.Register();  // the source may have used another cache, which changes t_block
  PinSlot& slot = blocks_.FreeSlot();
  const std::size_t bytes = entry->bytes();
  bool dead = false;
  {
    const sync::MutexLock lock(blocks_.mutex());
    table_.Reserve();
    // The slot is set before the version can be unlinked, and its bytes are counted before it can
    // be freed.
    blocks_.fence().StoreThenLoad(slot, entry.get());
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    CacheEntry& published = *entry.release();
    if (ticket.cancelled || bytes > budget_) {
      published.stale.store(ticket.cancelled, std::memory_order_release);
      published.unlinked.store(true, std::memory_order_relaxed);
      graveyard_.insert(published);  // used once, by the thread that loaded it
      if (ticket.cancelled) ++cancelled_;
      dead = true;
    } else {
      for (DependencyLink* link = published.links; link != nullptr; link = link->next) {
        index_.Insert(*link);
      }
      table_.Link(ticket.oid, published);
    }
    tickets_.erase(tickets_.iterator_to(ticket));
    load_ended_.NotifyAll();
  }
  RelationPin pin(slot.load(std::memory_order_relaxed)->descriptor(), slot);
  if (!dead && this->bytes() > budget_) Evict();
  return pin;
}

void EntryStore::Abandon(LoadTicket& ticket) noexcept {
  const sync::MutexLock lock(blocks_.mutex());
  if (!ticket.is_linked()) return;
  tickets_.erase(tickets_.iterator_to(ticket));
  load_ended_.NotifyAll();
}

// --- Invalidation and eviction ------------------------------------------------------------------

void EntryStore::CancelLoads() noexcept {
  for (LoadTicket& ticket : tickets_) ticket.cancelled = true;
}

/// Does what is necessary after a version was removed from the table.
void EntryStore::Unlinked(CacheEntry& entry, bool stale, EntriesByAddress& dead) noexcept {
  entry.stale.store(stale, std::memory_order_release);
  entry.unlinked.store(true, std::memory_order_relaxed);
  for (DependencyLink* link = entry.links; link != nullptr; link = link->next) index_.Erase(*link);
  // Before the fence in Bury; see point 3 at EntryStore.
  unlinks_.fetch_add(1, std::memory_order_seq_cst);
  ++(stale ? invalidated_ : evicted_);
  dead.insert(entry);
}

/// Unlinks every version for which pick(entry) is true.
template <class Pick>
void EntryStore::UnlinkAll(Pick&& pick, EntriesByAddress& dead) noexcept {
  table_.RemoveIf(pick, [&](CacheEntry& entry) {
    blocks_.mutex().AssertHeld();
    Unlinked(entry, true, dead);
  });
}

/// Calls choose(dead) under the lock, then buries the versions that it unlinked.
template <class Choose>
void EntryStore::Drop(Choose&& choose) noexcept {
  EntriesByAddress dead;
  bool alone = false;
  {
    const sync::MutexLock lock(blocks_.mutex());
    choose(dead);
    alone = blocks_.Alone();
  }
  Bury(dead, alone);
}

void EntryStore::Bury(EntriesByAddress& dead, bool alone) noexcept {
  if (dead.empty()) return;
  // Outside of the lock, because a membarrier can take microseconds. Meanwhile `dead` belongs to
  // this thread alone: a closing thread that does not find the version in the graveyard leaves it.
  if (!alone) blocks_.fence().Heavy();
  {
    const sync::MutexLock lock(blocks_.mutex());
    blocks_.EachPin([&](const CacheEntry* pinned) {
      blocks_.mutex().AssertHeld();
      if (const auto found = dead.find(pinned); found != dead.end()) {
        CacheEntry& entry = *found;
        dead.erase(found);
        graveyard_.insert(entry);
      }
    });
  }
  dead.clear_and_dispose([this](CacheEntry* entry) { Free(*entry); });
}

void EntryStore::Invalidate(std::span<const Oid> relations) noexcept {
  Drop([&](EntriesByAddress& dead) {
    blocks_.mutex().AssertHeld();
    for (const Oid oid : relations) {
      if (oid == kInvalidOid) continue;
      if (LoadTicket* ticket = FindTicket(oid)) ticket->cancelled = true;
      if (table_.Find(oid) != nullptr) Unlinked(table_.Unlink(oid), true, dead);
    }
  });
}

void EntryStore::Invalidate(std::span<const EntryDependency> objects) noexcept {
  if (objects.empty()) return;
  Drop([&](EntriesByAddress& dead) {
    blocks_.mutex().AssertHeld();
    // What a load in progress will depend on is not known yet, so all loads are cancelled.
    CancelLoads();
    for (const EntryDependency& object : objects) {
      if (object.changeable() && object.kind != InvalidationKind::kNamespace) {
        // Unlinked removes the entry's dependencies from the index, so the loop ends.
        while (CacheEntry* entry = index_.Any(object)) {
          table_.Unlink(entry->oid());
          Unlinked(*entry, true, dead);
        }
        continue;
      }
      UnlinkAll(
          [&](const CacheEntry& entry) {
            const RelationDescriptor* descriptor = entry.descriptor();
            return descriptor != nullptr &&
                   std::ranges::binary_search(descriptor->dependencies(), object);
          },
          dead);
    }
  });
}

void EntryStore::InvalidateAll() noexcept {
  Drop([&](EntriesByAddress& dead) {
    blocks_.mutex().AssertHeld();
    CancelLoads();
    UnlinkAll([](const CacheEntry&) { return true; }, dead);
  });
}

void EntryStore::SetPublishing(bool publishing) noexcept {
  const sync::MutexLock lock(blocks_.mutex());
  publishing_ = publishing;
  CancelLoads();
}

/// Evicts by the CLOCK algorithm: a hand goes round the table, clears the "used" bit of each entry,
/// and takes out entries whose bit was already clear and that are not pinned. It stops a sixteenth
/// below the budget, so that the cost of the fence is shared by many evictions.
void EntryStore::Evict() noexcept {
  {
    const sync::MutexLock lock(blocks_.mutex());
    if (std::exchange(evicting_, true)) return;  // one thread is enough
  }
  Drop([&](EntriesByAddress& dead) {
    blocks_.mutex().AssertHeld();
    const std::size_t target = budget_ - budget_ / 16;
    std::size_t freed = 0;
    // Pinned versions are spared. They are looked up by a hash of their address, because a slot may
    // contain the address of a version that no longer exists. A version that is spared by mistake
    // is evicted another time.
    std::bitset<kPinFilterBits> pinned;
    blocks_.EachPin([&](const CacheEntry* name) { pinned.set(FilterBit(name)); });
    table_.Sweep(
        3, [&](const CacheEntry& entry, bool used) { return !used && !pinned[FilterBit(&entry)]; },
        [&] { return bytes() <= target + freed; },
        [&](CacheEntry& entry) {
          blocks_.mutex().AssertHeld();
          freed += entry.bytes();
          Unlinked(entry, false, dead);
        });
    evicting_ = false;
  });
}

// --- Bytes --------------------------------------------------------------------------------------

void EntryStore::Grow(CacheEntry& entry, std::size_t bytes) noexcept {
  entry.bytes_.fetch_add(bytes, std::memory_order_relaxed);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (this->bytes() > budget_) Evict();
}

void EntryStore::AddDependency(CacheEntry& entry, DependencyLink& link) noexcept {
  const sync::MutexLock lock(blocks_.mutex());
  link.next = entry.links;
  entry.links = &link;
  // The links of an unlinked entry have already been removed from the index.
  if (!entry.unlinked.load(std::memory_order_relaxed)) index_.Insert(link);
}

void EntryStore::SetStats(CacheStats& stats) {
  const sync::MutexLock lock(blocks_.mutex());
  stats.hits = blocks_.hits();
  stats.unpublished = cancelled_;
  stats.invalidated = invalidated_;
  stats.evicted = evicted_;
  stats.entries = table_.size();
  stats.old_versions = graveyard_.size();
  stats.pins = blocks_.pins();
  stats.bytes = bytes();
  stats.table_bytes = table_.bytes();
  stats.pin_bytes = blocks_.bytes();
  stats.indexed_dependencies = index_.size();
  stats.membarrier = blocks_.fence().asymmetric();
}

}  // namespace relcache::internal
