// Finds the objects that an entry depends on, and the entries that depend on an object.
#pragma once

#include <boost/intrusive/set.hpp>
#include <cstddef>
#include <string_view>
#include <vector>

#include "relcache/cache/dependencies.h"
#include "relcache/catalog/rows.h"

namespace relcache {

/// Adds the objects that the rows of a relation refer to: in the texts of all its trees, the types
/// and collations of its columns, the functions of triggers, the operators of constraints, and its
/// schema. The result is sorted, each object once.
void CollectDependencies(const RelationRows& rows, std::vector<EntryDependency>& found);

namespace internal {

class CacheEntry;

/// The dependency of one entry on one object, an element of the index.
struct DependencyLink
    : boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>,
                                      boost::intrusive::optimize_size<true>> {
  EntryDependency on;
  CacheEntry* entry = nullptr;
  /// The next link of the same entry.
  DependencyLink* next = nullptr;
};

/// The index from an object to the entries that depend on it. It contains only objects that DDL can
/// change. There are few of these, whereas every entry depends on int4 and its operators; a change
/// of a built-in object costs a walk over all entries instead.
/// Thread safety: under the lock of its owner.
/// Cost: logarithmic, without allocation.
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
