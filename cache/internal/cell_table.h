// The table of current versions by oid: a hash table that readers use without a lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "relcache/base/oid.h"
#include "relcache/cache/internal/pin_blocks.h"

namespace relcache::internal {

/// The cell of one relation, 16 bytes.
struct Cell {
  /// 0 if the cell is empty, which ends a search.
  std::atomic<Oid> oid{kInvalidOid};
  /// The bit of the CLOCK algorithm: the relation was opened since the hand last came by. It is
  /// written only if it is not set, so that threads which open the same relation do not contend for
  /// the cache line.
  std::atomic<std::uint32_t> used{0};
  /// The current version, or null while the cell is being changed.
  std::atomic<CacheEntry*> entry{nullptr};
};

/// Open addressing with linear probing and a load of at most one half. Removal shifts cells back,
/// so there are no tombstones.
///
/// Cells are not freed as long as the table exists, and old tables are kept after growth (together
/// they are smaller than the present one). A reader is therefore always in valid memory. A reader
/// can miss an entry that is being moved, and then must look again under the lock; but it never
/// finds a wrong one, because a cell's entry is null before its oid changes, and all cells of an
/// outgrown table are null before growth ends.
/// Thread safety: any thread may call Lookup; all other functions are called under the owner's
/// lock.
class CellTable {
 public:
  CellTable();

  /// The cell of a relation, or nullptr.
  Cell* Lookup(Oid oid) const noexcept {
    const Table& table = *current_.load(std::memory_order_acquire);
    for (std::size_t i = Hash(oid) & table.mask;; i = (i + 1) & table.mask) {
      Cell& cell = table.cells[i];
      const Oid here = cell.oid.load(std::memory_order_relaxed);
      if (here == oid) return &cell;
      if (here == kInvalidOid) return nullptr;
    }
  }

  /// The current version, or nullptr.
  CacheEntry* Find(Oid oid) const noexcept;
  /// Makes room for one more entry.
  /// Errors: std::bad_alloc; then nothing has changed.
  void Reserve();
  /// Adds a relation that is not in the table. Reserve() must have been called.
  void Link(Oid oid, CacheEntry& entry) noexcept;
  /// Removes a relation that is in the table.
  CacheEntry& Unlink(Oid oid) noexcept { return Remove(Position(oid)); }

  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept;
  /// Calls f(entry) for each current version. f must not change the table.
  template <class F>
  void ForEach(F&& f) const {
    const Table& table = *tables_.back();
    for (std::size_t i = 0; i <= table.mask; ++i) {
      if (CacheEntry* e = table.cells[i].entry.load(std::memory_order_relaxed)) f(*e);
    }
  }
  /// Removes every version for which pick(entry) is true, and passes it to take(entry).
  template <class Pick, class Take>
  void RemoveIf(Pick&& pick, Take&& take) {
    const Table& table = *tables_.back();
    for (std::size_t i = 0; i <= table.mask;) {
      CacheEntry* entry = table.cells[i].entry.load(std::memory_order_relaxed);
      if (entry == nullptr || !pick(*entry)) {
        ++i;
      } else {
        take(Remove(i));  // the entry that was shifted back into this cell is next
      }
    }
  }
  /// Moves the hand of the clock, at most `rounds` times round the table, until `enough()`. Removes
  /// the entries for which `choose(entry, used)` is true, and clears the bits on its way.
  template <class Choose, class Enough, class Take>
  void Sweep(std::size_t rounds, Choose&& choose, Enough&& enough, Take&& take) {
    const Table& table = *tables_.back();
    for (std::size_t n = 0; n < rounds * (table.mask + 1) && size_ != 0 && !enough(); ++n) {
      hand_ = (hand_ + 1) & table.mask;
      Cell& cell = table.cells[hand_];
      CacheEntry* entry = cell.entry.load(std::memory_order_relaxed);
      if (entry == nullptr) continue;
      const bool used = cell.used.exchange(0, std::memory_order_relaxed) != 0;
      if (!choose(*entry, used)) continue;
      take(Remove(hand_));
      hand_ = (hand_ - 1) & table.mask;  // the entry that was shifted back is next
    }
  }

 private:
  struct Table {
    explicit Table(std::size_t cells_wanted)
        : mask(cells_wanted - 1), cells(std::make_unique<Cell[]>(cells_wanted)) {}
    std::size_t mask;
    std::unique_ptr<Cell[]> cells;
  };

  static std::size_t Hash(Oid oid) noexcept {
    return (std::uint64_t{oid} * 0x9E3779B97F4A7C15u) >> 32;
  }
  /// The position of the relation, or of the empty cell at which the search for it ends.
  std::size_t Position(Oid oid) const noexcept;
  CacheEntry& Remove(std::size_t position) noexcept;
  static void Set(Cell& cell, Oid oid, CacheEntry* entry, std::uint32_t used) noexcept;

  alignas(64) std::atomic<Table*> current_{nullptr};
  alignas(64) std::vector<std::unique_ptr<Table>> tables_;
  std::size_t size_ = 0;
  std::size_t hand_ = 0;
};

}  // namespace relcache::internal
