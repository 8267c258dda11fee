// A stored expression of a cached relation: its text, its tree once somebody asked for it, and what
// was made of the tree.
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

/// Which column of which catalog an expression stands in.
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

/// The column's name: "conbin".
std::string_view ExpressionColumn(ExpressionKind kind) noexcept;

/// One stored expression. The tree is read from the text at the first Get, once, into a context of
/// its own; PostgreSQL reads it for each statement (stringToNode).
/// Lifetime: the entry's. Trees and derived values live as long; hold the pin while using them.
/// Thread safety: all calls from any thread that holds a pin, also after the entry was invalidated:
/// the text is the entry's own, the source is not asked.
class ExpressionSlot {
 public:
  /// For the cache.
  ExpressionSlot(internal::CacheEntry& entry, ExpressionKind kind, std::uint32_t row,
                 std::string_view text) noexcept
      : text_(text), row_(row), kind_(kind), derived_(entry) {}
  ExpressionSlot(const ExpressionSlot&) = delete;
  ExpressionSlot& operator=(const ExpressionSlot&) = delete;
  ~ExpressionSlot();

  ExpressionKind kind() const noexcept { return kind_; }
  /// The pg_node_tree text as the source delivered it.
  std::string_view text() const noexcept { return text_; }

  /// The tree.
  /// Cost: a load and a compare when it is there. The first call reads the text; others that want
  /// the same tree wait for it, nobody else does.
  /// Errors: what StringToNode says, with the place: `relation public.t, constraint c: conbin`. The
  /// text never changes, so an error is remembered with the slot and given to all later callers.
  /// std::bad_alloc is not: the next call tries again.
  Result<const TreeImage*> Get() const {
    if (const void* tree = once_.ready()) [[likely]]
      return static_cast<const TreeImage*>(tree);
    return Build();
  }
  /// Whether the tree is there.
  bool built() const noexcept { return once_.ready() != nullptr; }

  /// A T made from the tree, kept with the entry: DerivedValues::Get with a builder that is given
  /// the tree as well. build(const TreeImage&, DerivedBuild&) -> Result<const T*>. The value may
  /// point into the tree.
  template <class T, class Build>
  Result<const T*> Derived(std::uint64_t variant, Build&& build) const {
    return derived_.Get<T>(variant, [&](DerivedBuild& place) -> Result<const T*> {
      RELCACHE_ASSIGN(const TreeImage* tree, Get());
      return build(*tree, place);
    });
  }

  /// "relation public.t, constraint c: conbin", for messages.
  std::string place() const;
  /// Bytes that the tree and the derived values take.
  std::size_t bytes() const noexcept;
  /// Of them, bytes of the contexts' blocks that nothing was put in.
  std::size_t bytes_free() const noexcept;

 private:
  Result<const TreeImage*> Build() const;

  const std::string_view text_;
  const std::uint32_t row_;  ///< its row's place among those of its kind
  const ExpressionKind kind_;
  mutable internal::BuildOnce once_;
  /// Written by the builder before it publishes.
  mutable ContextPtr context_;
  DerivedValues derived_;
};

}  // namespace relcache
