#include "relcache/cache/internal/cell_table.h"

#include "relcache/base/check.h"

namespace relcache::internal {

namespace {
constexpr std::size_t kFirstCells = 256;
}

CellTable::CellTable() {
  tables_.push_back(std::make_unique<Table>(kFirstCells));
  current_.store(tables_.back().get(), std::memory_order_release);
}

std::size_t CellTable::Position(Oid oid) const noexcept {
  const Table& table = *tables_.back();
  std::size_t i = Hash(oid) & table.mask;
  for (;; i = (i + 1) & table.mask) {
    const Oid here = table.cells[i].oid.load(std::memory_order_relaxed);
    if (here == oid || here == kInvalidOid) return i;
  }
}

CacheEntry* CellTable::Find(Oid oid) const noexcept {
  return tables_.back()->cells[Position(oid)].entry.load(std::memory_order_relaxed);
}

/// A reader that combines the old entry with the new oid, or the new entry with the old oid,
/// notices it: the former by the null in between, the latter by the oid in the entry.
void CellTable::Set(Cell& cell, Oid oid, CacheEntry* entry, std::uint32_t used) noexcept {
  cell.entry.store(nullptr, std::memory_order_seq_cst);
  cell.used.store(used, std::memory_order_relaxed);
  cell.oid.store(oid, std::memory_order_release);
  if (entry != nullptr) cell.entry.store(entry, std::memory_order_seq_cst);
}

void CellTable::Reserve() {
  const Table& old = *tables_.back();
  if ((size_ + 1) * 2 <= old.mask + 1) return;
  tables_.reserve(tables_.size() + 1);
  const Table& grown = *tables_.emplace_back(std::make_unique<Table>((old.mask + 1) * 2));
  for (std::size_t i = 0; i <= old.mask; ++i) {
    const Cell& cell = old.cells[i];
    CacheEntry* entry = cell.entry.load(std::memory_order_relaxed);
    if (entry == nullptr) continue;
    const Oid oid = cell.oid.load(std::memory_order_relaxed);
    Set(grown.cells[Position(oid)], oid, entry, cell.used.load(std::memory_order_relaxed));
  }
  current_.store(tables_.back().get(), std::memory_order_release);
  // A reader that is still in the old table must not find an entry there, since a thread that
  // unlinks it would not look for it in the old table.
  for (std::size_t i = 0; i <= old.mask; ++i) {
    old.cells[i].entry.store(nullptr, std::memory_order_seq_cst);
  }
  hand_ = 0;
}

void CellTable::Link(Oid oid, CacheEntry& entry) noexcept {
  const std::size_t position = Position(oid);
  RELCACHE_CHECK((size_ + 1) * 2 <= tables_.back()->mask + 1);
  RELCACHE_CHECK_EQ(tables_.back()->cells[position].oid.load(std::memory_order_relaxed),
                    kInvalidOid);
  Set(tables_.back()->cells[position], oid, &entry, 1);
  ++size_;
}

CacheEntry& CellTable::Remove(std::size_t position) noexcept {
  const Table& table = *tables_.back();
  std::size_t hole = position;
  CacheEntry* const entry = table.cells[hole].entry.load(std::memory_order_relaxed);
  RELCACHE_CHECK(entry != nullptr);
  --size_;
  Set(table.cells[hole], kInvalidOid, nullptr, 0);
  for (std::size_t i = (hole + 1) & table.mask;; i = (i + 1) & table.mask) {
    Cell& cell = table.cells[i];
    const Oid oid = cell.oid.load(std::memory_order_relaxed);
    if (oid == kInvalidOid) return *entry;
    // A cell may move into the hole only if the search for its oid passes there.
    if (((i - Hash(oid)) & table.mask) < ((i - hole) & table.mask)) continue;
    Set(table.cells[hole], oid, cell.entry.load(std::memory_order_relaxed),
        cell.used.load(std::memory_order_relaxed));
    Set(cell, kInvalidOid, nullptr, 0);
    hole = i;
  }
}

std::size_t CellTable::bytes() const noexcept {
  std::size_t sum = 0;
  for (const auto& table : tables_) sum += sizeof(Table) + (table->mask + 1) * sizeof(Cell);
  return sum;
}

}  // namespace relcache::internal
