#include "relcache/cache/relation_cache.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/cache/internal/entry_builder.h"
#include "relcache/cache/internal/entry_store.h"
#include "relcache/cache/internal/name_index.h"

namespace relcache {

using internal::CacheEntry;
using internal::LoadTicket;

namespace {

/// How often a name is tried again whose relation is renamed or dropped meanwhile.
constexpr int kNameAttempts = 3;

TreeOptions TreesOf(const CatalogSource& source, TreeOptions options) {
  options.pg_version = source.info().pg_version();
  return options;
}

Error NoSuchRelation(Oid oid) {
  return Error(ErrorCode::kNotFound, "XX000", Format("could not open relation with OID {}", oid));
}
Error NoSuchRelation(std::string_view schema, std::string_view name) {
  return Error(ErrorCode::kNotFound, "42P01",
               "relation \"" + std::string(schema) + "." + std::string(name) + "\" does not exist");
}
tl::unexpected<Error> SourceThrew(std::string_view what) {
  return Fail(ErrorCode::kSource, "XX000", "the catalog source threw: " + std::string(what));
}

/// Calls the source. Exceptions other than std::bad_alloc become errors.
template <class Ask>
std::invoke_result_t<Ask> AskSource(Ask&& ask) {
  try {
    return ask();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return SourceThrew(e.what());
  } catch (...) {
    return SourceThrew("an object that is not a std::exception");
  }
}

bool Bears(const RelationPin& pin, std::string_view schema, std::string_view name) {
  return pin->name() == name && pin->schema() == schema;
}

std::size_t NamesFor(const CacheOptions& options) {
  return options.names != 0 ? options.names : options.budget_bytes / 2048;
}

}  // namespace

struct RelationCache::Impl {
  Impl(CatalogSource& from, const CacheOptions& how)
      : options(how),
        source(from),
        store(how.budget_bytes, how.use_membarrier, TreesOf(from, how.trees)),
        names(NamesFor(how)),
        negatives(how.negative_entries) {}

  const CacheOptions options;
  CatalogSource& source;
  internal::EntryStore store;
  internal::NameIndex names;
  internal::NegativeEntries negatives;
  std::atomic<bool> connected{true};
  std::atomic<std::uint64_t> loads{0}, load_failures{0}, name_lookups{0}, negative_hits{0};
  InvalidationSubscription subscription;

  /// Registers the thread at its first open. A thread that is ending is unregistered again at once.
  class Visit {
   public:
    explicit Visit(Impl& impl) : blocks_(impl.store.blocks()) {
      if (!blocks_.ready()) blocks_.Register();
    }
    ~Visit() { blocks_.LeaveIfEnding(); }

   private:
    internal::PinBlocks& blocks_;
  };
  /// Ends a load in every case, including exceptions.
  class Loading {
   public:
    Loading(internal::EntryStore& of, LoadTicket& load) : store_(of), ticket_(load) {}
    Loading(const Loading&) = delete;
    ~Loading() { store_.Abandon(ticket_); }

   private:
    internal::EntryStore& store_;
    LoadTicket& ticket_;
  };

  Result<RelationPin> OpenSlow(Oid oid);
  Result<RelationPin> OpenSlow(std::string_view schema, std::string_view name, std::uint64_t hash);
  Result<RelationPin> Load(LoadTicket& ticket);
  Status LoadMany(std::span<const Oid> oids);
  Result<std::span<const RelationRows* const>> AskForRows(std::span<const Oid> oids,
                                                          MemoryContext& cx);
  Result<RelationPin> FinishLoad(LoadTicket& ticket, const RelationRows* rows,
                                 std::uint64_t generation);
  RelationPin TryName(std::string_view schema, std::string_view name, std::uint64_t hash);
  bool may_keep_negatives() const { return connected.load(std::memory_order_relaxed); }
  void SetConnected(bool up) noexcept;
};

RelationCache::RelationCache(CatalogSource& source, const CacheOptions& options)
    : impl_(std::make_unique<Impl>(source, options)) {
  impl_->subscription =
      source.Subscribe([this](std::span<const Invalidation> changes) { Apply(changes); });
}

RelationCache::~RelationCache() {
  // First, because a listener may be running: after this no call reaches the members.
  impl_->subscription.Reset();
}

CatalogSource& RelationCache::source() const noexcept {
  return impl_->source;
}

// --- Open by oid --------------------------------------------------------------------------------

Result<RelationPin> RelationCache::Open(Oid oid) {
  Impl& impl = *impl_;
  if (impl.store.blocks().ready()) [[likely]] {
    if (RelationPin pin = impl.store.TryPin(oid)) [[likely]]
      return pin;
  }
  return impl.OpenSlow(oid);
}

Result<RelationPin> RelationCache::Impl::OpenSlow(Oid oid) {
  if (oid == kInvalidOid) {
    return Fail(ErrorCode::kInvalidInput, "22023", "could not open relation with OID 0");
  }
  const Visit visit(*this);
  if (negatives.Contains(oid)) {
    negative_hits.fetch_add(1, std::memory_order_relaxed);
    return Fail(NoSuchRelation(oid));
  }
  LoadTicket ticket(oid);
  RELCACHE_ASSIGN(RelationPin pin, store.PinOrStart(ticket));
  if (pin) return pin;
  const Loading loading(store, ticket);
  return Load(ticket);
}

Result<RelationPin> RelationCache::Impl::Load(LoadTicket& ticket) {
  // Read before the source is asked: if the relation is created meanwhile, the answer that there is
  // none belongs to an older state and is not kept.
  const std::uint64_t generation = negatives.generation();
  const ContextPtr scratch = Bump::CreateRoot("relation load");
  RELCACHE_ASSIGN(const auto delivered, AskForRows({&ticket.oid, 1}, *scratch));
  return FinishLoad(ticket, delivered.front(), generation);
}

Result<std::span<const RelationRows* const>> RelationCache::Impl::AskForRows(
    std::span<const Oid> oids, MemoryContext& cx) {
  auto delivered = AskSource([&] { return source.Load(oids, cx); });
  if (delivered && delivered->size() != oids.size()) {
    delivered = Fail(
        ErrorCode::kSource, "XX000",
        Format("asked for {} relations, the source delivered {}", oids.size(), delivered->size()));
  }
  if (!delivered) {
    load_failures.fetch_add(1, std::memory_order_relaxed);
    std::string place = Format("relation with OID {}", oids.front());
    if (oids.size() > 1) place += Format(" and {} more", oids.size() - 1);
    return Fail(std::move(delivered).error().At(place));
  }
  return delivered;
}

/// Ends the load with the rows that the source delivered; nullptr means that the relation does not
/// exist.
Result<RelationPin> RelationCache::Impl::FinishLoad(LoadTicket& ticket, const RelationRows* rows,
                                                    std::uint64_t generation) {
  if (rows == nullptr) {
    if (may_keep_negatives()) negatives.Insert(ticket.oid, generation);
    return Fail(NoSuchRelation(ticket.oid));
  }
  loads.fetch_add(1, std::memory_order_relaxed);
  RELCACHE_ASSIGN(CacheEntry::Ptr entry, internal::BuildEntry(ticket.oid, *rows, source, store));
  names.Insert(internal::HashName(rows->nspname, rows->pg_class.relname), ticket.oid);
  return store.Finish(ticket, std::move(entry));
}

// --- Open by name -------------------------------------------------------------------------------

RelationPin RelationCache::Impl::TryName(std::string_view schema, std::string_view name,
                                         std::uint64_t hash) {
  RelationPin found;
  names.ForEachCandidate(hash, [&](Oid oid) {
    RelationPin pin = store.TryPin(oid);
    // A candidate is only a hint: the relation may have been renamed, or its name have the same
    // hash.
    if (!pin || !Bears(pin, schema, name)) return false;
    found = std::move(pin);
    return true;
  });
  return found;
}

Result<RelationPin> RelationCache::Open(std::string_view schema, std::string_view name) {
  Impl& impl = *impl_;
  const std::uint64_t hash = internal::HashName(schema, name);
  if (impl.store.blocks().ready()) [[likely]] {
    if (RelationPin pin = impl.TryName(schema, name, hash)) [[likely]]
      return pin;
  }
  return impl.OpenSlow(schema, name, hash);
}

Result<RelationPin> RelationCache::Impl::OpenSlow(std::string_view schema, std::string_view name,
                                                  std::uint64_t hash) {
  const Visit visit(*this);
  // Again: a thread that was not registered has not looked yet.
  if (RelationPin pin = TryName(schema, name, hash)) return pin;
  if (negatives.Contains(schema, name, hash)) {
    negative_hits.fetch_add(1, std::memory_order_relaxed);
    return Fail(NoSuchRelation(schema, name));
  }
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    const std::uint64_t generation = negatives.generation();
    name_lookups.fetch_add(1, std::memory_order_relaxed);
    Result<Oid> oid = AskSource([&] { return source.LookupName(schema, name); });
    if (!oid) {
      load_failures.fetch_add(1, std::memory_order_relaxed);
      return Fail(
          std::move(oid).error().At("relation " + std::string(schema) + "." + std::string(name)));
    }
    if (*oid == kInvalidOid) {
      if (may_keep_negatives()) negatives.Insert(schema, name, hash, generation);
      return Fail(NoSuchRelation(schema, name));
    }
    Result<RelationPin> pin = OpenSlow(*oid);
    if (!pin && pin.error().code != ErrorCode::kNotFound) return pin;
    if (pin && Bears(*pin, schema, name)) {
      names.Insert(hash, *oid);
      return pin;
    }
    // The relation was renamed or dropped between the two questions.
  }
  return Fail(ErrorCode::kSource, "XX000",
              Format("the name of relation {}.{} meant another relation at each of {} attempts",
                     schema, name, kNameAttempts));
}

// --- Many at once -------------------------------------------------------------------------------

Status RelationCache::Warm(std::span<const Oid> oids) {
  constexpr std::size_t kPiece = 64;  // bounds what the scratch context holds
  while (!oids.empty()) {
    const std::size_t n = std::min(oids.size(), kPiece);
    RELCACHE_TRY(impl_->LoadMany(oids.first(n)));
    oids = oids.subspan(n);
  }
  return {};
}

Status RelationCache::Impl::LoadMany(std::span<const Oid> oids) {
  const Visit visit(*this);
  std::deque<LoadTicket> tickets;  // a deque, because tickets must not move
  std::deque<Loading> loading;     // behind the tickets, so that it is destroyed before them
  std::vector<Oid> wanted;
  for (const Oid oid : oids) {
    if (oid == kInvalidOid) continue;
    LoadTicket& ticket = tickets.emplace_back(oid);
    if (!store.TryStart(ticket)) {
      tickets.pop_back();  // there, or another thread's load
      continue;
    }
    loading.emplace_back(store, ticket);
    wanted.push_back(oid);
  }
  if (wanted.empty()) return {};
  const std::uint64_t generation = negatives.generation();
  const ContextPtr scratch = Bump::CreateRoot("relation load");
  RELCACHE_ASSIGN(const auto delivered, AskForRows(wanted, *scratch));
  Status status;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Result<RelationPin> pin = FinishLoad(tickets[i], delivered[i], generation);
    if (!pin && pin.error().code != ErrorCode::kNotFound && status) {
      status = Fail(std::move(pin).error());
    }
  }
  return status;
}

// --- What changed -------------------------------------------------------------------------------

void RelationCache::Invalidate(std::span<const Oid> relations) noexcept {
  impl_->negatives.Void();
  impl_->store.Invalidate(relations);
}

void RelationCache::InvalidateAll() noexcept {
  impl_->negatives.Void();
  impl_->store.InvalidateAll();
}

// Without a connection no change is reported, so nothing that is learned meanwhile may be kept.
// When it is back, anything may have changed.
void RelationCache::Impl::SetConnected(bool up) noexcept {
  connected.store(up, std::memory_order_relaxed);
  if (!options.serve_while_disconnected) store.SetPublishing(up);
  negatives.Void();
  if (up || !options.serve_while_disconnected) store.InvalidateAll();
}

void RelationCache::Apply(std::span<const Invalidation> changes) noexcept {
  // One fence for many, without allocating: by pieces.
  constexpr std::size_t kPiece = 256;
  std::array<Oid, kPiece> relations;
  std::array<EntryDependency, kPiece> objects;
  std::size_t relation_count = 0, object_count = 0;
  const auto flush = [&] {
    if (relation_count != 0) Invalidate({relations.data(), relation_count});
    if (object_count != 0) impl_->store.Invalidate({objects.data(), object_count});
    relation_count = object_count = 0;
  };
  for (const Invalidation& change : changes) {
    switch (change.kind) {
      case InvalidationKind::kRelation:
        relations[relation_count++] = change.oid;
        break;
      case InvalidationKind::kNamespace:
        impl_->negatives.Void();  // a name may now exist in a schema that was renamed
        [[fallthrough]];
      case InvalidationKind::kType:
      case InvalidationKind::kFunction:
      case InvalidationKind::kOperator:
      case InvalidationKind::kCollation:
        objects[object_count++] = {change.kind, change.oid};
        break;
      case InvalidationKind::kEverything:
        InvalidateAll();
        break;
      case InvalidationKind::kLinkLost:
        impl_->SetConnected(false);
        break;
      case InvalidationKind::kLinkBack:
        impl_->SetConnected(true);
        break;
    }
    if (relation_count == kPiece || object_count == kPiece) flush();
  }
  flush();
}

// --- Figures ------------------------------------------------------------------------------------

CacheStats RelationCache::stats() const {
  Impl& impl = *impl_;
  CacheStats stats;
  impl.store.SetStats(stats);
  stats.loads = impl.loads.load(std::memory_order_relaxed);
  stats.load_failures = impl.load_failures.load(std::memory_order_relaxed);
  stats.name_lookups = impl.name_lookups.load(std::memory_order_relaxed);
  stats.negative_hits = impl.negative_hits.load(std::memory_order_relaxed);
  stats.negative_entries = impl.negatives.size();
  stats.budget = impl.options.budget_bytes;
  stats.name_bytes = impl.names.bytes();
  stats.negative_bytes = impl.negatives.bytes();
  stats.connected = impl.connected.load(std::memory_order_relaxed);
  return stats;
}

}  // namespace relcache
