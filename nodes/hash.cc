#include "relcache/nodes/hash.h"

#include "relcache/nodes/internal/writer.h"
#include "relcache/nodes/walk.h"

namespace relcache {
namespace {

class Hasher {
 public:
  void Add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15;
    state_ ^= state_ >> 29;
  }
  void Add(std::string_view bytes) {
    Add(std::uint64_t{bytes.size()});
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) Add(wire::Load8(bytes.data()));
    std::uint64_t rest = 0;
    if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
    Add(rest);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3;
};

// Of a field that counts for Equal and is no child. Fields are hashed by name and only if they do
// not have their default, so that a field which a later version adds leaves the hash as it is.
void AddField(Hasher& h, const Node& node, const NodeField& f) {
  const char* member = reinterpret_cast<const char*>(&node) + f.offset;
  switch (f.kind) {
    case FieldKind::kNode:
    case FieldKind::kBitmapset:
      return;
    case FieldKind::kString: {
      const CString text(static_cast<const char*>(wire::LoadPointer(member)));
      if (text.is_null()) return;
      h.Add(f.label());
      return h.Add(text.view());
    }
    case FieldKind::kDatum: {
      const Const& constant = static_cast<const Const&>(node);
      if (constant.constisnull) return;
      h.Add(f.label());
      return constant.constbyval ? h.Add(static_cast<std::uint64_t>(constant.constvalue))
                                 : h.Add(constant.bytes());
    }
    case FieldKind::kDouble: {
      double value;
      std::memcpy(&value, member, sizeof value);
      if (value == 0) return;  // 0.0 and -0.0 are equal and must have the same hash
      h.Add(f.label());
      return h.Add(wire::Load8(member));
    }
    default: {
      const std::uint64_t value = wire::LoadBits(reinterpret_cast<const char*>(&node), f);
      if (value == f.initial) return;
      h.Add(f.label());
      return h.Add(value);
    }
  }
}

template <class L>
void AddNumbers(Hasher& h, const Node& node) {
  const L& list = static_cast<const L&>(node);
  h.Add(list.size());
  for (const auto n : list) h.Add(static_cast<std::uint64_t>(std::int64_t{n}));
}

}  // namespace

std::uint64_t HashTree(const Node* tree) {
  Hasher h;
  // Depths tell where a node hangs, field names in which place; nulls in lists leave a gap that
  // the length and the place of the others do not show, and so are counted.
  TreeWalker walker(tree);
  while (const Node* node = walker.Next()) {
    if (const NodeField* f = walker.field(); f != nullptr) {
      // What counts only sometimes is left out: trees that are Equal must have the same hash.
      if (f->rule.compare != FieldCompare::kAlways) {
        walker.SkipChildren();
        continue;
      }
      h.Add(f->label());
    }
    h.Add(walker.depth());
    h.Add(NodeTypeName(node->tag));
    switch (node->tag) {
      case NodeTag::kList: {
        const List& list = static_cast<const List&>(*node);
        h.Add(list.size());
        for (std::size_t i = 0; i < list.size(); ++i)
          if (list[i] == nullptr) h.Add(i);
        break;
      }
      case NodeTag::kIntList:
        AddNumbers<IntList>(h, *node);
        break;
      case NodeTag::kOidList:
        AddNumbers<OidList>(h, *node);
        break;
      case NodeTag::kBitmapset:
        AddNumbers<Bitmapset>(h, *node);
        break;
      case NodeTag::kString:
        h.Add(static_cast<const String&>(*node).sval.view());
        break;
      default: {
        const NodeType& type = NodeTypeOf(node->tag);
        for (std::size_t i = 0; i < type.fields.size(); ++i)
          if (type.fields[i].rule.compare == FieldCompare::kAlways && !type.repeats(i))
            AddField(h, *node, type.fields[i]);
      }
    }
  }
  return h.value();
}

}  // namespace relcache
