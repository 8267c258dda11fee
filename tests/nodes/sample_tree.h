// Nodes made from the declarations of their types, for tests by construction.
#pragma once

#include <cstring>

#include "relcache/nodes/node_type.h"
#include "relcache/nodes/nodes.h"

namespace relcache::nodes_testing {

/// Makes nodes in which every field that the version writes has a value that is not its default.
class SampleMaker {
 public:
  SampleMaker(int pg_version, MemoryContext& cx) : version_(pg_version), cx_(cx) {}

  /// A node with all fields set, children one level deep. rtekind: of a RangeTblEntry.
  Node* Full(const NodeType& type, int rtekind = 0) {
    Node* node = Empty(type);
    if (RangeTblEntry* rte = As<RangeTblEntry>(node)) rte->rtekind = static_cast<RTEKind>(rtekind);
    for (const NodeField& f : type.fields)
      if (IsFieldWritten(f, *node, version_) && f.label() != "rtekind") Set(*node, f);
    if (Const* constant = As<Const>(node)) constant->constisnull = false;
    return node;
  }

  /// Gives one field another value than it has. False if it has only one.
  bool Change(Node& node, const NodeField& f) {
    char* member = reinterpret_cast<char*>(&node) + f.offset;
    switch (f.kind) {
      case FieldKind::kNumber:
      case FieldKind::kBoolWord: {
        std::int64_t value = 0;
        std::memcpy(&value, member, f.size);
        if (f.is_signed && f.size < 8) value = value << (64 - 8 * f.size) >> (64 - 8 * f.size);
        value = value < f.high ? value + 1 : value - 1;
        if (value < f.low) return false;
        std::memcpy(member, &value, f.size);
        return true;
      }
      case FieldKind::kBool:
        *member = !*member;
        return true;
      case FieldKind::kChar:
        *member = *member == 'y' ? 'z' : 'y';
        return true;
      case FieldKind::kDouble: {
        const double value = 4711;
        std::memcpy(member, &value, sizeof value);
        return true;
      }
      case FieldKind::kString:
        return Put(member, MakeCString("another", cx_).c_str());
      case FieldKind::kNode:
        return Put(member, nullptr);
      case FieldKind::kBitmapset:
        return Put(member, MakeList<Bitmapset>(std::array{7, 70}, cx_));
      case FieldKind::kDatum:
        static_cast<Const&>(node).constvalue = Int64GetDatum(-5);
        return true;
    }
    return false;
  }

 private:
  Node* Empty(const NodeType& type) {
    void* place = cx_.Allocate(type.size);
    std::memcpy(place, type.prototype, type.size);
    return static_cast<Node*>(place);
  }

  static bool Put(char* member, const void* pointer) {
    std::memcpy(member, &pointer, sizeof pointer);
    return true;
  }

  void Set(Node& node, const NodeField& f) {
    char* member = reinterpret_cast<char*>(&node) + f.offset;
    switch (f.kind) {
      case FieldKind::kNumber:
      case FieldKind::kBoolWord: {
        if (f.label() == "constlen") {
          static_cast<Const&>(node).constlen = 8;
          return;
        }
        const std::int64_t value = f.high > 1000 ? 41 + f.offset : f.high;
        std::memcpy(member, &value, f.size);
        return;
      }
      case FieldKind::kBool:
        *member = 1;
        return;
      case FieldKind::kChar:
        *member = 'x';
        return;
      case FieldKind::kDouble: {
        const double value = 1234;
        std::memcpy(member, &value, sizeof value);
        return;
      }
      case FieldKind::kString:
        Put(member, MakeCString("a (name)", cx_).c_str());
        return;
      case FieldKind::kBitmapset:
        Put(member, MakeList<Bitmapset>(std::array{0, 9, 64}, cx_));
        return;
      case FieldKind::kDatum:
        static_cast<Const&>(node).constvalue = Int64GetDatum(-3);
        return;
      case FieldKind::kNode:
        Put(member, Child(f));
        return;
    }
  }

  Node* Child(const NodeField& f) {
    if (f.child >= kAnyExpr) {
      Var* var = MakeNode<Var>(cx_);
      var->varno = 2;
      var->varattno = 3;
      return var;
    }
    switch (static_cast<NodeTag>(f.child)) {
      case NodeTag::kList: {
        Var* var = MakeNode<Var>(cx_);
        var->varattno = 5;
        return MakeList(
            cx_, {MakeString("quo\"te", cx_), var, nullptr, MakeList(cx_, {MakeString("", cx_)}),
                  MakeList<IntList>(std::array{-1, 7}, cx_)});
      }
      case NodeTag::kIntList:
        return MakeList<IntList>(std::array{-1, 0, 2147483647}, cx_);
      case NodeTag::kOidList:
        return MakeList<OidList>(std::array<Oid, 2>{1, 4294967295}, cx_);
      default: {
        Node* child = Empty(NodeTypeOf(static_cast<NodeTag>(f.child)));
        if (Const* constant = As<Const>(child)) constant->constisnull = true;
        return child;
      }
    }
  }

  const int version_;
  MemoryContext& cx_;
};

}  // namespace relcache::nodes_testing
