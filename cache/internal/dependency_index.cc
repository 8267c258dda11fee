#include "relcache/cache/internal/dependency_index.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "relcache/nodes/node_type.h"

namespace relcache {

namespace {

std::optional<InvalidationKind> KindOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kType:
      return InvalidationKind::kType;
    case ObjectKind::kFunction:
      return InvalidationKind::kFunction;
    case ObjectKind::kOperator:
      return InvalidationKind::kOperator;
    case ObjectKind::kCollation:
      return InvalidationKind::kCollation;
    default:
      return std::nullopt;  // a change of these does not change a meaning, or is reported for the
                            // relation itself
  }
}

/// The labels under which oids of objects occur in a text, taken from the declarations of the
/// nodes.
class OidLabels {
 public:
  OidLabels() {
    for (const NodeType& type : NodeTypes()) {
      for (const NodeField& field : type.fields) {
        if (const auto kind = KindOf(field.rule.names)) Add(field.label(), *kind);
      }
    }
  }

  /// Calls f(kind) for each kind of object that the label can stand for.
  template <class F>
  void ForEachKind(std::string_view label, F&& f) const {
    for (std::size_t i = Hash(label);; i = (i + 1) % kPlaces) {
      const Place& place = places_[i];
      if (place.label.empty()) return;
      if (place.label == label) f(place.kind);
    }
  }

 private:
  static constexpr std::size_t kPlaces = 1024;
  struct Place {
    std::string_view label;
    InvalidationKind kind{};
  };

  static std::size_t Hash(std::string_view label) noexcept {
    // A hash of the label's length and its first and last letters, which suffices because labels
    // are words and few in number.
    const auto at = [&](std::size_t i) -> std::size_t {
      return static_cast<unsigned char>(label[i]);
    };
    const std::size_t n = label.size();
    if (n < 3) return n;
    return (n * 131 + at(0) * 31 + at(1) * 17 + at(2) * 7 + at(n - 1) * 67 + at(n - 3) * 11 +
            at(n / 2) * 5) %
           kPlaces;
  }
  void Add(std::string_view label, InvalidationKind kind) {
    std::size_t i = Hash(label);
    for (; !places_[i].label.empty(); i = (i + 1) % kPlaces) {
      if (places_[i].label == label && places_[i].kind == kind) return;
    }
    places_[i] = {label, kind};
  }

  std::array<Place, kPlaces> places_{};
};

const OidLabels& Labels() {
  static const OidLabels labels;
  return labels;
}

/// Reads and removes the number at the beginning of `text`; nullopt if there is none or it is not
/// an oid.
std::optional<Oid> TakeOid(std::string_view& text) {
  std::uint64_t value = 0;
  std::size_t n = 0;
  for (; n < text.size() && text[n] >= '0' && text[n] <= '9'; ++n) {
    if (value <= UINT32_MAX) value = value * 10 + static_cast<unsigned>(text[n] - '0');
  }
  text.remove_prefix(n);
  if (n == 0 || value > UINT32_MAX) return std::nullopt;
  return static_cast<Oid>(value);
}

void Add(InvalidationKind kind, Oid oid, std::vector<EntryDependency>& found) {
  if (oid != kInvalidOid) found.push_back({kind, oid});
}

/// Reads the value after a label: an oid or a list of oids, "(o 23 25)".
void AddValue(std::string_view value, InvalidationKind kind, std::vector<EntryDependency>& found) {
  if (!value.starts_with("(o")) {
    if (const auto oid = TakeOid(value)) Add(kind, *oid, found);
    return;
  }
  value.remove_prefix(2);
  while (value.starts_with(' ')) {
    value.remove_prefix(1);
    const auto oid = TakeOid(value);
    if (!oid) return;
    Add(kind, *oid, found);
  }
}

}  // namespace

void ScanDependencies(std::string_view text, std::vector<EntryDependency>& found) {
  const OidLabels& labels = Labels();
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    at = static_cast<const char*>(std::memchr(at, ':', static_cast<std::size_t>(end - at)));
    if (at == nullptr) return;
    const char* const label = ++at;
    while (at != end && *at != ' ' && *at != ':') ++at;
    if (at == end || *at == ':') continue;
    const std::string_view value(at + 1, static_cast<std::size_t>(end - at - 1));
    labels.ForEachKind({label, static_cast<std::size_t>(at - label)},
                       [&](InvalidationKind kind) { AddValue(value, kind, found); });
  }
}

void CollectDependencies(const RelationRows& rows, std::vector<EntryDependency>& found) {
  const auto types = [&](Oid oid) { Add(InvalidationKind::kType, oid, found); };
  const auto functions = [&](Oid oid) { Add(InvalidationKind::kFunction, oid, found); };
  const auto operators = [&](Oid oid) { Add(InvalidationKind::kOperator, oid, found); };
  const auto collations = [&](Oid oid) { Add(InvalidationKind::kCollation, oid, found); };
  const auto text = [&](std::string_view tree) { ScanDependencies(tree, found); };

  Add(InvalidationKind::kNamespace, rows.pg_class.relnamespace, found);
  types(rows.pg_class.reloftype);
  text(rows.pg_class.relpartbound);
  for (const AttributeRow& row : rows.attributes) {
    types(row.atttypid);
    collations(row.attcollation);
  }
  for (const ConstraintRow& row : rows.constraints) {
    for (const auto& list : {row.conpfeqop, row.conppeqop, row.conffeqop, row.conexclop}) {
      std::ranges::for_each(list, operators);
    }
    text(row.conbin);
  }
  for (const AttrdefRow& row : rows.attrdefs) text(row.adbin);
  for (const IndexRow& row : rows.indexes) {
    std::ranges::for_each(row.indcollation, collations);
    text(row.indexprs);
    text(row.indpred);
  }
  for (const TriggerRow& row : rows.triggers) {
    functions(row.tgfoid);
    text(row.tgqual);
  }
  for (const RewriteRow& row : rows.rules) {
    text(row.ev_qual);
    text(row.ev_action);
  }
  for (const PolicyRow& row : rows.policies) {
    text(row.polqual);
    text(row.polwithcheck);
  }
  if (rows.partitioned_table != nullptr) {
    std::ranges::for_each(rows.partitioned_table->partcollation, collations);
    text(rows.partitioned_table->partexprs);
  }
  for (const StatisticExtRow& row : rows.statistics) text(row.stxexprs);

  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace relcache
