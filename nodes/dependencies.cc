#include "relcache/nodes/dependencies.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "relcache/nodes/node_type.h"
#include "relcache/nodes/walk.h"

namespace relcache {
namespace {

// What a constant of a reg... type names.
ObjectKind KindOfReg(Oid type) {
  switch (type) {
    case 24:    // regproc
    case 2202:  // regprocedure
      return ObjectKind::kFunction;
    case 2203:  // regoper
    case 2204:  // regoperator
      return ObjectKind::kOperator;
    case 2205:
      return ObjectKind::kRelation;  // regclass
    case 2206:
      return ObjectKind::kType;  // regtype
    case 4096:
      return ObjectKind::kRole;  // regrole
    case 4191:
      return ObjectKind::kCollation;  // regcollation
    default:
      return ObjectKind::kNone;
  }
}

/// The labels under which oids of objects occur in a text, taken from the declarations of the
/// nodes.
class OidLabels {
 public:
  OidLabels() {
    for (const NodeType& type : NodeTypes()) {
      for (const NodeField& field : type.fields) {
        if (field.rule.names != ObjectKind::kNone) Add(field.label(), field.rule.names);
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
    ObjectKind kind{};
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
  void Add(std::string_view label, ObjectKind kind) {
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

/// Adds the value after a label: an oid or a list of oids, "(o 23 25)".
void AddValue(std::string_view value, ObjectKind kind, std::vector<NamedObject>& found) {
  const auto add = [&](Oid oid) {
    if (oid != kInvalidOid) found.emplace_back(kind, oid);
  };
  if (!value.starts_with("(o")) {
    if (const auto oid = TakeOid(value)) add(*oid);
    return;
  }
  value.remove_prefix(2);
  while (value.starts_with(' ')) {
    value.remove_prefix(1);
    const auto oid = TakeOid(value);
    if (!oid) return;
    add(*oid);
  }
}

}  // namespace

void CollectDependencies(const Node* tree, const std::function<void(ObjectKind, Oid)>& use) {
  TreeWalker walker(tree);
  while (const Node* node = walker.Next()) {
    if (!IsStructNode(node->tag)) continue;
    const NodeType& type = NodeTypeOf(node->tag);
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      const NodeField& f = type.fields[i];
      if (f.rule.names == ObjectKind::kNone || type.repeats(i)) continue;
      const char* member = reinterpret_cast<const char*>(node) + f.offset;
      if (f.kind == FieldKind::kNumber) {
        Oid oid;
        std::memcpy(&oid, member, sizeof oid);
        if (oid != kInvalidOid) use(f.rule.names, oid);
      } else {
        const OidList* list;
        std::memcpy(&list, member, sizeof list);
        if (list == nullptr) continue;
        for (const Oid oid : *list)
          if (oid != kInvalidOid) use(f.rule.names, oid);
      }
    }
    if (const Const* constant = As<Const>(node); constant != nullptr && !constant->constisnull) {
      const ObjectKind kind = KindOfReg(constant->consttype);
      const Oid oid = DatumGetObjectId(constant->constvalue);
      if (kind != ObjectKind::kNone && constant->constbyval && oid != kInvalidOid) use(kind, oid);
    }
  }
}

void ScanDependencies(std::string_view text, std::vector<NamedObject>& found) {
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
                       [&](ObjectKind kind) { AddValue(value, kind, found); });
  }
}

}  // namespace relcache
