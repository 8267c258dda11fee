#include "relcache/nodes/dependencies.h"

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

}  // namespace relcache
