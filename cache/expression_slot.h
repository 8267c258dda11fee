// ExpressionSlot is the place in a cache entry for one stored expression, such as that of a CHECK
// constraint: its text, its node tree once it has been needed, and what was derived from the tree.
// PostgreSQL keeps only the text (ccbin in ConstrCheck) and reads it anew for each statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/cache/build_once.h"
#include "relcache/cache/derived.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

class TreeImage;

/// The catalog column that an expression comes from.
enum class ExpressionKind : std::uint8_t {
  kCheck,             ///< pg_constraint.conbin
  kDefault,           ///< pg_attrdef.adbin
  kIndexExpressions,  ///< pg_index.indexprs: a list
  kIndexPredicate,    ///< pg_index.indpred: one expression
  kPartitionKey,      ///< pg_partitioned_table.partexprs: a list
  kPartitionBound,    ///< pg_class.relpartbound
  kTriggerWhen,       ///< pg_trigger.tgqual
  kPolicyUsing,       ///< pg_policy.polqual
  kPolicyWithCheck,   ///< pg_policy.polwithcheck
  kRuleQual,          ///< pg_rewrite.ev_qual
  kRuleAction,        ///< pg_rewrite.ev_action: a list of queries
  kStatistics,        ///< pg_statistic_ext.stxexprs: a list
};
inline constexpr int kExpressionKinds = 12;

/// The name of the column, such as "conbin".
std::string_view ExpressionColumn(ExpressionKind kind) noexcept;

/// One stored expression. The first call of Get reads the text into a tree, in a memory context of
/// its own; later calls return the same tree.
/// Lifetime: that of the entry, also for trees and derived values; use them only while holding a
/// pin.
/// Thread safety: any thread that holds a pin may make any call. This is true even after the entry
/// was invalidated, because the entry owns the text and the source is not needed.
class ExpressionSlot {
 public:
  /// For use by the cache only.
  ExpressionSlot(internal::CacheEntry& entry, ExpressionKind kind, std::uint32_t row,
                 std::string_view text) noexcept
      : text_(text), row_(row), kind_(kind), derived_(entry) {}
  ExpressionSlot(const ExpressionSlot&) = delete;
  ExpressionSlot& operator=(const ExpressionSlot&) = delete;
  ~ExpressionSlot();

  ExpressionKind kind() const noexcept { return kind_; }
  /// The node tree in its text form (pg_node_tree), as the source delivered it.
  std::string_view text() const noexcept { return text_; }

  /// The tree.
  /// Cost: a load and a comparison if the tree exists. The first call reads the text; only calls
  /// for the same tree wait for it.
  /// Errors: those of StringToNode, with the place: `relation public.t, constraint c: conbin`.
  /// Because the text never changes, the error is kept and returned to all later callers. After
  /// std::bad_alloc the next call tries again.
  Result<const TreeImage*> Get() const {
    if (const void* tree = once_.ready()) [[likely]]
      return static_cast<const TreeImage*>(tree);
    return Build();
  }
  /// Whether the tree exists.
  bool built() const noexcept { return once_.ready() != nullptr; }

  /// A value derived from the tree and kept with the entry: DerivedValues::Get with a builder that
  /// also receives the tree, build(const TreeImage&, DerivedBuild&) -> Result<const T*>. The value
  /// may point into the tree.
  template <class T, class Build>
  Result<const T*> Derived(std::uint64_t variant, Build&& build) const {
    return derived_.Get<T>(variant, [&](DerivedBuild& place) -> Result<const T*> {
      RELCACHE_ASSIGN(const TreeImage* tree, Get());
      return build(*tree, place);
    });
  }

  /// The place of the expression, as errors name it: "relation public.t, constraint c: conbin".
  std::string place() const;
  /// The bytes of the tree and the derived values.
  std::size_t bytes() const noexcept;
  /// The unused part of these bytes, in the blocks of the contexts.
  std::size_t bytes_free() const noexcept;

 private:
  Result<const TreeImage*> Build() const;

  const std::string_view text_;
  const std::uint32_t row_;  ///< the index of its row among those of its kind
  const ExpressionKind kind_;
  mutable internal::BuildOnce once_;
  /// Written by the thread that builds the tree, before it publishes it.
  mutable ContextPtr context_;
  DerivedValues derived_;
};

}  // namespace relcache
