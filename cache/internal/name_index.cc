#include "relcache/cache/internal/name_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace relcache::internal {

namespace {

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15u;

std::uint64_t HashBytes(std::uint64_t hash, std::string_view bytes) noexcept {
  while (bytes.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash = std::rotl((hash ^ word) * kMix, 29);
    bytes.remove_prefix(8);
  }
  // The length distinguishes "ab" + "c" from "a" + "bc", and a short rest from one with zeros.
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  return std::rotl((hash ^ word ^ (std::uint64_t{bytes.size()} << 56)) * kMix, 29);
}

std::size_t OidPlace(Oid oid, std::size_t size) noexcept {
  return static_cast<std::size_t>((oid * kMix) >> 32) & (size - 1);
}

}  // namespace

std::uint64_t HashName(std::string_view nspname, std::string_view relname) noexcept {
  std::uint64_t hash = HashBytes(HashBytes(kMix, nspname), relname);
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93u;
  return hash ^ (hash >> 32);
}

NameIndex::NameIndex(std::size_t names)
    : mask_(std::bit_ceil(std::max(names, kWays)) - kWays),
      hints_(std::make_unique<std::atomic<std::uint64_t>[]>(mask_ + kWays)) {}

/// Replaces the same hint, an empty one, or one that is chosen by other bits of the hash.
void NameIndex::Insert(std::uint64_t hash, Oid oid) noexcept {
  const std::size_t set = SetOf(hash);
  const std::uint64_t hint = (std::uint64_t{TagOf(hash)} << 32) | oid;
  std::size_t way = oid % kWays;
  for (std::size_t i = 0; i < kWays; ++i) {
    const std::uint64_t here = hints_[set + i].load(std::memory_order_relaxed);
    if (here == hint) return;
    if (here == 0 || TagOf(here) == TagOf(hash)) {
      way = i;
      break;
    }
  }
  hints_[set + way].store(hint, std::memory_order_relaxed);
}

NegativeEntries::NegativeEntries(std::size_t entries)
    : places_(entries == 0 ? 0 : std::bit_ceil(entries)), names_(places_), oids_(places_) {}

bool NegativeEntries::Name::Is(std::string_view nspname, std::string_view relname) const noexcept {
  return nspname.size() == nspname_length && relname.size() == relname_length &&
         std::memcmp(text, nspname.data(), nspname.size()) == 0 &&
         std::memcmp(text + nspname.size(), relname.data(), relname.size()) == 0;
}

bool NegativeEntries::Contains(std::string_view nspname, std::string_view relname,
                               std::uint64_t hash) const {
  if (places_ == 0) return false;
  const sync::MutexLock lock(mutex_);
  const Name& name = names_[hash & (places_ - 1)];
  return name.generation == generation() && name.Is(nspname, relname);
}

void NegativeEntries::Insert(std::string_view nspname, std::string_view relname, std::uint64_t hash,
                             std::uint64_t generation) {
  if (places_ == 0 || nspname.size() > kLongestName || relname.size() > kLongestName) return;
  const sync::MutexLock lock(mutex_);
  if (generation != this->generation()) return;
  Name& name = names_[hash & (places_ - 1)];
  name.generation = generation;
  name.nspname_length = static_cast<std::uint8_t>(nspname.size());
  name.relname_length = static_cast<std::uint8_t>(relname.size());
  std::copy(relname.begin(), relname.end(), std::copy(nspname.begin(), nspname.end(), name.text));
}

bool NegativeEntries::Contains(Oid oid) const {
  if (places_ == 0) return false;
  const sync::MutexLock lock(mutex_);
  const Number& number = oids_[OidPlace(oid, places_)];
  return number.oid == oid && number.generation == generation();
}

void NegativeEntries::Insert(Oid oid, std::uint64_t generation) {
  if (places_ == 0) return;
  const sync::MutexLock lock(mutex_);
  if (generation != this->generation()) return;
  oids_[OidPlace(oid, places_)] = {generation, oid};
}

std::size_t NegativeEntries::size() const {
  const sync::MutexLock lock(mutex_);
  const auto present = [now = generation()](const auto& e) { return e.generation == now; };
  return static_cast<std::size_t>(std::ranges::count_if(names_, present) +
                                  std::ranges::count_if(oids_, present));
}

std::size_t NegativeEntries::bytes() const noexcept {
  return places_ * (sizeof(Name) + sizeof(Number));
}

}  // namespace relcache::internal
