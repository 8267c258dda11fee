// The index from names of relations to oids, and the memory of names and oids that do not exist.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "relcache/base/mutex.h"
#include "relcache/base/oid.h"

namespace relcache::internal {

/// The hash of a qualified name.
std::uint64_t HashName(std::string_view nspname, std::string_view relname) noexcept;

/// Hints from names to oids, of 8 bytes each, without the texts. A hint is verified by the current
/// version of the relation with that oid, which knows its own name. So no hint can be wrong, even
/// after relations were renamed, dropped or evicted, and hints need not be removed. If a name lost
/// its place to another one, it costs a question to the source.
/// Thread safety: any thread may make any call, without a lock.
class NameIndex {
 public:
  /// Makes room for about `names` names. The size does not change.
  explicit NameIndex(std::size_t names);

  static constexpr std::size_t kWays = 4;
  /// Calls f(oid) for each oid that may have the name, until f returns true.
  template <class F>
  bool ForEachCandidate(std::uint64_t hash, F&& f) const {
    const std::size_t set = SetOf(hash);
    for (std::size_t i = 0; i < kWays; ++i) {
      const std::uint64_t hint = hints_[set + i].load(std::memory_order_relaxed);
      if (TagOf(hint) == TagOf(hash) && OidOf(hint) != kInvalidOid && f(OidOf(hint))) return true;
    }
    return false;
  }
  void Insert(std::uint64_t hash, Oid oid) noexcept;
  std::size_t bytes() const noexcept { return (mask_ + kWays) * sizeof(std::uint64_t); }

 private:
  static std::uint32_t TagOf(std::uint64_t x) noexcept {
    return static_cast<std::uint32_t>(x >> 32);
  }
  static Oid OidOf(std::uint64_t hint) noexcept { return static_cast<Oid>(hint); }
  std::size_t SetOf(std::uint64_t hash) const noexcept { return (hash * kWays) & mask_; }

  std::size_t mask_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> hints_;
};

/// The names and oids of which the source said that they do not exist. Any change makes all of them
/// void, because the invalidation for a new relation has its oid and not its name. The table has a
/// fixed size, and a newer entry replaces an older one. Names longer than kLongestName are not
/// kept; PostgreSQL has none.
/// Thread safety: any thread may make any call.
class NegativeEntries {
 public:
  static constexpr std::size_t kLongestName = 63;

  /// Makes room for this many names and as many oids, rounded up to a power of two. With 0 nothing
  /// is kept.
  explicit NegativeEntries(std::size_t entries);

  /// The number of the source's present state. It must be read before the source is asked.
  std::uint64_t generation() const noexcept { return generation_.load(std::memory_order_seq_cst); }
  /// Makes all entries void, because something changed.
  void Void() noexcept { generation_.fetch_add(1, std::memory_order_seq_cst); }

  bool Contains(std::string_view nspname, std::string_view relname, std::uint64_t hash) const;
  bool Contains(Oid oid) const;
  /// Keeps an answer if it belongs to the present state.
  void Insert(std::string_view nspname, std::string_view relname, std::uint64_t hash,
              std::uint64_t generation);
  void Insert(Oid oid, std::uint64_t generation);

  /// The number of entries that are kept.
  /// Cost: a walk over the table.
  std::size_t size() const;
  std::size_t bytes() const noexcept;

 private:
  struct Name {
    std::uint64_t generation = 0;
    std::uint8_t nspname_length = 0, relname_length = 0;
    char text[2 * kLongestName] = {};

    bool Is(std::string_view nspname, std::string_view relname) const noexcept;
  };
  struct Number {
    std::uint64_t generation = 0;
    Oid oid = kInvalidOid;
  };

  std::atomic<std::uint64_t> generation_{1};
  /// How many names, and how many oids, there is room for.
  const std::size_t places_;
  mutable sync::Mutex mutex_;
  std::vector<Name> names_ RELCACHE_GUARDED_BY(mutex_);
  std::vector<Number> oids_ RELCACHE_GUARDED_BY(mutex_);
};

}  // namespace relcache::internal
