// What a cache has done and what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace relcache {

/// Thread safety: a value. Counters are exact when no other thread is inside the cache.
struct CacheStats {
  // --- Since the cache was made
  std::uint64_t hits = 0;           ///< opens answered without the source
  std::uint64_t loads = 0;          ///< relations that the source delivered
  std::uint64_t load_failures = 0;  ///< questions that it failed to answer
  std::uint64_t unpublished = 0;    ///< loads overtaken by an invalidation: used once, not kept
  std::uint64_t invalidated = 0;    ///< versions dropped because something changed
  std::uint64_t evicted = 0;        ///< versions dropped because room was needed
  std::uint64_t name_lookups = 0;   ///< names that the source was asked for
  std::uint64_t negative_hits = 0;  ///< "does not exist" answered without the source

  // --- Now
  std::size_t entries = 0;           ///< current versions
  std::size_t old_versions = 0;      ///< unlinked, still pinned
  std::size_t pins = 0;              ///< open pins
  std::size_t negative_entries = 0;  ///< names and oids known not to exist

  // --- Bytes
  std::size_t bytes = 0;           ///< of all versions, old ones included: what the budget bounds
  std::size_t budget = 0;          ///< see CacheOptions
  std::size_t table_bytes = 0;     ///< from oid to version
  std::size_t name_bytes = 0;      ///< from name to oid
  std::size_t negative_bytes = 0;  ///< of negative entries, used or not
  std::size_t pin_bytes = 0;       ///< 512 a thread that is or was there

  /// Entries that answer to objects which DDL can change, by link.
  std::size_t indexed_dependencies = 0;
  /// Whether opens are spared their fence by membarrier(2); without it an open costs three times as
  /// much.
  bool membarrier = false;
  /// Whether the source's link is up, so that changes are noticed.
  bool connected = true;

  /// One line a figure: "hits 123".
  std::string ToString() const;
};

}  // namespace relcache
