// CacheStats is a snapshot of the counters of a relation cache: what it did so far, and what it
// holds now. docs/tuning.md says what to conclude from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace relcache {

/// The counters of one cache. A *version* is the state of a relation that the cache holds; when the
/// relation changes, a new version replaces it.
/// Thread safety: a plain value. The counters are exact if no other thread uses the cache at the
/// moment.
struct CacheStats {
  // --- Since the cache was made
  std::uint64_t hits = 0;           ///< opens that did not need the source
  std::uint64_t loads = 0;          ///< relations that the source delivered
  std::uint64_t load_failures = 0;  ///< requests that the source failed to answer
  std::uint64_t unpublished = 0;    ///< loads overtaken by an invalidation: used once, not kept
  std::uint64_t invalidated = 0;    ///< versions dropped because something changed
  std::uint64_t evicted = 0;        ///< versions dropped because room was needed
  std::uint64_t name_lookups = 0;   ///< names that the source had to look up
  std::uint64_t negative_hits = 0;  ///< "does not exist", answered without the source

  // --- Now
  std::size_t entries = 0;           ///< current versions
  std::size_t old_versions = 0;      ///< replaced or dropped, but still pinned
  std::size_t pins = 0;              ///< open pins
  std::size_t negative_entries = 0;  ///< names and oids known not to exist

  // --- Bytes
  std::size_t bytes = 0;           ///< of all versions, including old ones; the budget limits this
  std::size_t budget = 0;          ///< see CacheOptions
  std::size_t table_bytes = 0;     ///< the table from oid to version
  std::size_t name_bytes = 0;      ///< the table from name to oid
  std::size_t negative_bytes = 0;  ///< room for negative entries, used or not
  std::size_t pin_bytes = 0;       ///< 512 for each thread, and for every further 62 pins it has

  /// The number of pairs of an entry and an object that it depends on and that DDL (CREATE, ALTER,
  /// DROP) can change.
  std::size_t indexed_dependencies = 0;
  /// Whether the system call membarrier(2) spares each open a memory fence. Without it an open
  /// costs about three times as much.
  bool membarrier = false;
  /// Whether the source is connected, so that changes are noticed.
  bool connected = true;

  /// One line for each figure: "hits 123".
  std::string ToString() const;
};

/// The name of a figure and how to read it, for code that prints or exports figures.
struct CacheFigure {
  std::string_view name;
  /// Returns the figure; 1 or 0 for a member that is a bool.
  std::uint64_t (*value)(const CacheStats& stats);
};

namespace internal {
template <auto member>
constexpr std::uint64_t FigureValue(const CacheStats& stats) {
  return stats.*member;
}
}  // namespace internal

/// Every member of CacheStats, in order.
inline constexpr CacheFigure kCacheFigures[] = {
    {"hits", internal::FigureValue<&CacheStats::hits>},
    {"loads", internal::FigureValue<&CacheStats::loads>},
    {"load_failures", internal::FigureValue<&CacheStats::load_failures>},
    {"unpublished", internal::FigureValue<&CacheStats::unpublished>},
    {"invalidated", internal::FigureValue<&CacheStats::invalidated>},
    {"evicted", internal::FigureValue<&CacheStats::evicted>},
    {"name_lookups", internal::FigureValue<&CacheStats::name_lookups>},
    {"negative_hits", internal::FigureValue<&CacheStats::negative_hits>},
    {"entries", internal::FigureValue<&CacheStats::entries>},
    {"old_versions", internal::FigureValue<&CacheStats::old_versions>},
    {"pins", internal::FigureValue<&CacheStats::pins>},
    {"negative_entries", internal::FigureValue<&CacheStats::negative_entries>},
    {"bytes", internal::FigureValue<&CacheStats::bytes>},
    {"budget", internal::FigureValue<&CacheStats::budget>},
    {"table_bytes", internal::FigureValue<&CacheStats::table_bytes>},
    {"name_bytes", internal::FigureValue<&CacheStats::name_bytes>},
    {"negative_bytes", internal::FigureValue<&CacheStats::negative_bytes>},
    {"pin_bytes", internal::FigureValue<&CacheStats::pin_bytes>},
    {"indexed_dependencies", internal::FigureValue<&CacheStats::indexed_dependencies>},
    {"membarrier", internal::FigureValue<&CacheStats::membarrier>},
    {"connected", internal::FigureValue<&CacheStats::connected>},
};

/// The figure with this name, such as CacheFigureNamed("hits"). If there is none, the call does not
/// compile.
consteval CacheFigure CacheFigureNamed(std::string_view name) {
  for (const CacheFigure& figure : kCacheFigures)
    if (figure.name == name) return figure;
  throw "no such figure";
}

}  // namespace relcache
