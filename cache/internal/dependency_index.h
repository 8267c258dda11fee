// How the objects that an entry depends on are found, and which entries depend on an object.
#pragma once

#include <boost/intrusive/set.hpp>
#include <cstddef>
#include <string_view>
#include <vector>

#include "relcache/cache/dependencies.h"
#include "relcache/catalog/rows.h"

namespace relcache {

/// Adds what the text of a tree (pg_node_tree) names: every type, function, operator and collation,
/// found by the labels of its fields without making a tree. It may find too much (a label in a
/// string) and stops at nothing; it never finds too little in a text that a server wrote.
/// Cost: one pass over the text, about a nanosecond a byte.
void ScanDependencies(std::string_view text, std::vector<EntryDependency>& found);

/// Adds what the rows of a relation name: the texts of all its trees, the types and collations of
/// its columns, functions of triggers, operators of constraints, its name space. Sorted, each once.
void CollectDependencies(const RelationRows& rows, std::vector<EntryDependency>& found);

namespace internal {

class CacheEntry;

/// One entry's dependency on one object, as the index links it.
struct DependencyLink
    : boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>,
                                      boost::intrusive::optimize_size<true>> {
  EntryDependency on;
  CacheEntry* entry = nullptr;
  /// The next link of the same entry.
  DependencyLink* next = nullptr;
};

/// From an object to the entries that depend on it. Only changeable objects are in it: they are
/// few, while every entry depends on int4 and its operators; whoever says that one of those changed
/// pays for a walk through all entries instead. Thread safety: under the lock of its owner. Cost:
/// no allocation, a logarithm.
class DependencyIndex {
 public:
  void Insert(DependencyLink& link) noexcept { links_.insert(link); }
  void Erase(DependencyLink& link) noexcept { links_.erase(links_.iterator_to(link)); }
  /// Some entry that depends on the object, or nullptr.
  CacheEntry* Any(const EntryDependency& on) const noexcept {
    const auto found = links_.find(on);
    return found == links_.end() ? nullptr : found->entry;
  }
  std::size_t size() const noexcept { return links_.size(); }

 private:
  struct KeyOf {
    using type = EntryDependency;
    const EntryDependency& operator()(const DependencyLink& link) const noexcept { return link.on; }
  };
  boost::intrusive::multiset<DependencyLink, boost::intrusive::key_of_value<KeyOf>> links_;
};

}  // namespace internal
}  // namespace relcache
