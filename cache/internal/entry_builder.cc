#include "relcache/cache/internal/entry_builder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "relcache/base/check.h"
#include "relcache/base/internal/format.h"
#include "relcache/cache/internal/entry_store.h"
#include "relcache/cache/internal/sealed_pages.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/catalog/internal/row_copy.h"

namespace relcache {

namespace {

// The bytes that CopyRow allocates for what a row points to, with each allocation rounded up to 8.
// Knowing them in advance gives each entry a block of exactly its size, so that the budget counts
// no unused memory.

template <CatalogRow Row>
std::size_t BytesBehind(const Row& row);

template <class T>
requires std::is_arithmetic_v<T> std::size_t BytesBehind(T) {
  return 0;
}
std::size_t BytesBehind(std::string_view text) {
  return text.empty() ? 0 : Bump::BytesFor(text.size() + 1);
}
template <CatalogRow Row>
std::size_t BytesBehind(const Row* row) {
  return row == nullptr ? 0 : Bump::BytesFor(sizeof(Row)) + BytesBehind(*row);
}
template <class T>
std::size_t BytesBehind(std::span<const T> values) {
  std::size_t sum = Bump::BytesFor(values.size_bytes());
  if constexpr (!std::is_arithmetic_v<T>) {
    for (const T& value : values) sum += BytesBehind(value);
  }
  return sum;
}
template <CatalogRow Row>
std::size_t BytesBehind(const Row& row) {
  std::size_t sum = 0;
  ForEachColumn<Row>([&](const auto& column) { sum += BytesBehind(row.*column.member); });
  return sum;
}

bool IsCheck(const ConstraintRow& row) {
  return row.contype == 'c';
}

tl::unexpected<Error> Malformed(const RelationRows& rows, std::string message) {
  Error error(ErrorCode::kInvalidInput, "XX001", std::move(message));
  return Fail(std::move(error).At("relation " + std::string(rows.nspname) + "." +
                                  std::string(rows.pg_class.relname)));
}

Status RefuseContradictions(Oid oid, const RelationRows& rows) {
  if (rows.pg_class.oid != oid) {
    return Malformed(rows,
                     Format("the source delivered relation {} for OID {}", rows.pg_class.oid, oid));
  }
  const auto natts = static_cast<std::size_t>(std::max<int>(rows.pg_class.relnatts, 0));
  if (rows.attributes.size() < natts) {
    return Malformed(rows,
                     Format("pg_attribute catalog is missing {} attribute(s) for relation OID {}",
                            natts - rows.attributes.size(), oid));
  }
  if (rows.attributes.size() > natts) {
    return Malformed(rows,
                     Format("pg_attribute catalog has {} attribute(s) too many for relation OID {}",
                            rows.attributes.size() - natts, oid));
  }
  for (std::size_t i = 0; i < natts; ++i) {
    if (rows.attributes[i].attnum != static_cast<int>(i) + 1) {
      return Malformed(rows, Format("invalid attribute number {} for {}", rows.attributes[i].attnum,
                                    rows.pg_class.relname));
    }
  }
  for (const AttrdefRow& row : rows.attrdefs) {
    if (row.adnum < 1 || static_cast<std::size_t>(row.adnum) > natts) {
      return Malformed(rows, Format("invalid attribute number {} in pg_attrdef", row.adnum));
    }
  }
  if (!std::ranges::is_sorted(rows.constraints, {}, &ConstraintRow::conname) ||
      !std::ranges::is_sorted(rows.attrdefs, {}, &AttrdefRow::adnum) ||
      !std::ranges::is_sorted(rows.triggers, {}, &TriggerRow::tgname)) {
    return Malformed(rows, "the source delivered rows out of order");
  }
  return {};
}

}  // namespace

/// Makes the descriptor with its views and expression slots.
class RelationDescriptorBuilder {
 public:
  /// Computes how many bytes of body and how many expression slots are needed.
  explicit RelationDescriptorBuilder(const RelationRows& rows)
      : checks_(static_cast<std::size_t>(std::ranges::count_if(rows.constraints, IsCheck))) {
    bytes_ = Bump::BytesFor(sizeof(RelationDescriptor)) + Bump::BytesFor(sizeof(RelationRows)) +
             BytesBehind(rows) + Bump::BytesFor(checks_ * sizeof(CheckConstraint)) +
             Bump::BytesFor(rows.attrdefs.size() * sizeof(ColumnDefault)) +
             Bump::BytesFor(rows.indexes.size() * sizeof(IndexDescriptor)) +
             Bump::BytesFor(rows.triggers.size() * sizeof(TriggerDescriptor)) +
             Bump::BytesFor(rows.rules.size() * sizeof(RuleDescriptor)) +
             Bump::BytesFor(rows.policies.size() * sizeof(PolicyDescriptor)) +
             Bump::BytesFor(rows.statistics.size() * sizeof(StatisticsDescriptor));
    const auto count = [this](std::string_view text) { expressions_ += !text.empty(); };
    expressions_ = checks_ + rows.attrdefs.size();
    count(rows.pg_class.relpartbound);
    if (rows.partitioned_table != nullptr) count(rows.partitioned_table->partexprs);
    for (const IndexRow& row : rows.indexes) count(row.indexprs), count(row.indpred);
    for (const TriggerRow& row : rows.triggers) count(row.tgqual);
    for (const RewriteRow& row : rows.rules) count(row.ev_qual), count(row.ev_action);
    for (const PolicyRow& row : rows.policies) count(row.polqual), count(row.polwithcheck);
    for (const StatisticExtRow& row : rows.statistics) count(row.stxexprs);
  }

  std::size_t bytes() const { return bytes_; }
  std::size_t expressions() const { return expressions_; }

  const RelationDescriptor* Build(const RelationRows& delivered,
                                  std::span<const EntryDependency> dependencies,
                                  CatalogSource& source, internal::CacheEntry& entry,
                                  int pg_version, MemoryContext& cx) {
    entry_ = &entry;
    auto* relation = cx.New<RelationDescriptor>();
    const RelationRows& rows = *cx.New<RelationRows>(CopyRow(delivered, cx));
    relation->rows_ = &rows;
    relation->source_ = &source;
    relation->entry_ = &entry;
    relation->derived_ = &entry.derived();
    relation->pg_version_ = pg_version;

    const std::span<EntryDependency> kept = cx.NewArray<EntryDependency>(dependencies.size());
    std::ranges::copy(dependencies, kept.begin());
    relation->dependencies_ = kept;

    const std::span<CheckConstraint> checks = cx.NewArray<CheckConstraint>(checks_);
    std::uint32_t i = 0;
    for (const ConstraintRow& row : rows.constraints) {
      if (!IsCheck(row)) continue;
      checks[i].row_ = &row;
      checks[i].expression_ = &entry.AddExpression(ExpressionKind::kCheck, i, row.conbin);
      ++i;
    }
    relation->checks_ = checks;
    relation->defaults_ =
        Views<ColumnDefault>(rows.attrdefs, cx, [&](auto& view, auto& row, auto n) {
          view.expression_ = &entry.AddExpression(ExpressionKind::kDefault, n, row.adbin);
        });
    relation->indexes_ =
        Views<IndexDescriptor>(rows.indexes, cx, [&](auto& view, auto& row, auto n) {
          view.expressions_ = Slot(ExpressionKind::kIndexExpressions, n, row.indexprs);
          view.predicate_ = Slot(ExpressionKind::kIndexPredicate, n, row.indpred);
        });
    relation->triggers_ =
        Views<TriggerDescriptor>(rows.triggers, cx, [&](auto& view, auto& row, auto n) {
          view.when_ = Slot(ExpressionKind::kTriggerWhen, n, row.tgqual);
        });
    relation->rules_ = Views<RuleDescriptor>(rows.rules, cx, [&](auto& view, auto& row, auto n) {
      view.qual_ = Slot(ExpressionKind::kRuleQual, n, row.ev_qual);
      view.action_ = Slot(ExpressionKind::kRuleAction, n, row.ev_action);
    });
    relation->policies_ =
        Views<PolicyDescriptor>(rows.policies, cx, [&](auto& view, auto& row, auto n) {
          view.using_qual_ = Slot(ExpressionKind::kPolicyUsing, n, row.polqual);
          view.with_check_ = Slot(ExpressionKind::kPolicyWithCheck, n, row.polwithcheck);
        });
    relation->statistics_ =
        Views<StatisticsDescriptor>(rows.statistics, cx, [&](auto& view, auto& row, auto n) {
          view.expressions_ = Slot(ExpressionKind::kStatistics, n, row.stxexprs);
        });
    if (rows.partitioned_table != nullptr) {
      relation->partition_key_ =
          Slot(ExpressionKind::kPartitionKey, 0, rows.partitioned_table->partexprs);
    }
    relation->partition_bound_ =
        Slot(ExpressionKind::kPartitionBound, 0, rows.pg_class.relpartbound);
    relation->expressions_ = entry.expressions();
    return relation;
  }

 private:
  /// Makes a view of each row; set(view, row, n) sets its expressions.
  template <class View, class Row, class Set>
  static std::span<const View> Views(std::span<const Row> rows, MemoryContext& cx, Set&& set) {
    if (rows.empty()) return {};
    const std::span<View> views = cx.NewArray<View>(rows.size());
    for (std::uint32_t n = 0; n < rows.size(); ++n) {
      views[n].row_ = &rows[n];
      set(views[n], rows[n], n);
    }
    return views;
  }
  const ExpressionSlot* Slot(ExpressionKind kind, std::uint32_t row, std::string_view text) {
    return text.empty() ? nullptr : &entry_->AddExpression(kind, row, text);
  }

  std::size_t checks_;
  std::size_t bytes_ = 0;
  std::size_t expressions_ = 0;
  internal::CacheEntry* entry_ = nullptr;
};

const AttributeRow* RelationDescriptor::attribute(AttrNumber attnum) const noexcept {
  if (attnum < 1 || static_cast<std::size_t>(attnum) > attributes().size()) return nullptr;
  return &attributes()[static_cast<std::size_t>(attnum) - 1];
}

const AttributeRow* RelationDescriptor::attribute(std::string_view attname) const noexcept {
  for (const AttributeRow& row : attributes()) {
    if (!row.attisdropped && row.attname == attname) return &row;
  }
  return nullptr;
}

const ColumnDefault* RelationDescriptor::default_of(AttrNumber attnum) const noexcept {
  const auto found = std::ranges::lower_bound(defaults_, attnum, {}, &ColumnDefault::attnum);
  return found != defaults_.end() && found->attnum() == attnum ? &*found : nullptr;
}

std::size_t RelationDescriptor::bytes() const noexcept {
  return entry_->bytes();
}

std::size_t RelationDescriptor::bytes_used() const noexcept {
  return entry_->bytes() - entry_->bytes_free();
}

namespace internal {

Result<CacheEntry::Ptr> BuildEntry(Oid oid, const RelationRows& rows, CatalogSource& source,
                                   EntryStore& store) {
  RELCACHE_TRY(RefuseContradictions(oid, rows));
  std::vector<EntryDependency> dependencies;
  dependencies.reserve(64);
  CollectDependencies(rows, dependencies);
  // Changes of a schema are looked up by a walk over all entries in any case.
  const auto linked = [](const EntryDependency& on) {
    return on.changeable() && on.kind != InvalidationKind::kNamespace;
  };

  RelationDescriptorBuilder builder(rows);
  CacheEntry::Ptr entry =
      CacheEntry::Create(oid, store, builder.expressions(),
                         static_cast<std::size_t>(std::ranges::count_if(dependencies, linked)));
  SealableContext body(
      "relation", builder.bytes() + Bump::BytesFor(dependencies.size() * sizeof(EntryDependency)));
  const RelationDescriptor* descriptor =
      builder.Build(rows, dependencies, source, *entry, store.trees().pg_version, body.cx());
  for (const EntryDependency& on : dependencies) {
    if (linked(on)) entry->AddLink(on);
  }
  entry->SetBody(std::move(body).Seal(), descriptor);
  return entry;
}

}  // namespace internal
}  // namespace relcache
