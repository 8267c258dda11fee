#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/internal/json_text.h"
#include "relcache/nodes/internal/stack_guard.h"
#include "relcache/nodes/internal/wire.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/node_type.h"
#include "relcache/types/internal/hex.h"

namespace relcache {
namespace {

using json::Text;
using json::Value;

class JsonReader {
 public:
  JsonReader(const TreeOptions& options, MemoryContext& cx)
      : version_(options.pg_version),
        depth_left_(options.max_depth),
        nodes_left_(options.max_nodes),
        cx_(cx) {}

  Result<Node*> Read(const Value& v) {
    if (v.IsNull()) return nullptr;
    if (depth_left_ == 0 || !stack_.ok())
      return Fail(ErrorCode::kLimit, "54001", "node tree is nested too deeply");
    if (nodes_left_ == 0) return Fail(ErrorCode::kLimit, "54000", "node tree has too many nodes");
    --depth_left_;
    --nodes_left_;
    Result<Node*> node = ReadAny(v);
    ++depth_left_;
    return node;
  }

 private:
  static Error Wrong(std::string message) {
    return Error(ErrorCode::kInvalidInput, "XX001", "malformed node tree: " + std::move(message));
  }
  // Puts one step in front of the path at which the error was found.
  static Error&& In(std::string step, Error&& error) {
    if (!error.place.empty()) step += (error.place[0] == '[' ? "" : ".") + error.place;
    error.place = std::move(step);
    return std::move(error);
  }

  Result<Node*> ReadAny(const Value& v) {
    if (v.IsArray()) return ReadList(v);
    if (v.IsString()) {
      RELCACHE_ASSIGN(const CString text, ReadText(v));
      String* node = MakeNode<String>(cx_);
      node->sval = text;
      return node;
    }
    if (!v.IsObject()) return Fail(Wrong("expected a node"));
    if (v.HasMember("node")) return ReadStruct(v);
    if (v.MemberCount() == 1 && v.HasMember("int")) return ReadNumbers<IntList>(v["int"]);
    if (v.MemberCount() == 1 && v.HasMember("oid")) return ReadNumbers<OidList>(v["oid"]);
    if (v.MemberCount() == 1 && v.HasMember("bytes")) {
      RELCACHE_ASSIGN(const CString text, ReadText(v));
      String* node = MakeNode<String>(cx_);
      node->sval = text;
      return node;
    }
    return Fail(Wrong("expected an object with \"node\""));
  }

  Result<Node*> ReadList(const Value& v) {
    List* list = MakeList<List>(v.Size(), cx_);
    for (rapidjson::SizeType i = 0; i < v.Size(); ++i) {
      Result<Node*> element = Read(v[i]);
      if (!element) return Fail(In(Format("[{}]", i), std::move(element).error()));
      list->elements()[i] = *element;
    }
    return list;
  }

  template <class L>
  Result<Node*> ReadNumbers(const Value& v) {
    using T = typename L::Element;
    if (!v.IsArray()) return Fail(Wrong("expected an array of integers"));
    L* list = MakeList<L>(v.Size(), cx_);
    for (rapidjson::SizeType i = 0; i < v.Size(); ++i) {
      if (!v[i].IsInt64() ||
          static_cast<std::int64_t>(static_cast<T>(v[i].GetInt64())) != v[i].GetInt64())
        return Fail(In(Format("[{}]", i), Wrong("expected an integer in range")));
      list->elements()[i] = static_cast<T>(v[i].GetInt64());
      if (L::kTag == NodeTag::kBitmapset &&
          (v[i].GetInt64() < 0 || (i > 0 && list->elements()[i - 1] >= list->elements()[i])))
        return Fail(In(Format("[{}]", i), Wrong("expected members in ascending order")));
    }
    return list;
  }

  Result<std::string_view> ReadHex(std::string_view hex) {
    if (hex.size() % 2 != 0) return Fail(Wrong("expected hexadecimal digits"));
    // With a NUL behind, because the bytes may be those of a string.
    char* bytes = static_cast<char*>(cx_.Allocate(hex.size() / 2 + 1));
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      const int high = HexValue(hex[i]), low = HexValue(hex[i + 1]);
      if (high < 0 || low < 0) return Fail(Wrong("expected hexadecimal digits"));
      bytes[i / 2] = static_cast<char>(high << 4 | low);
    }
    bytes[hex.size() / 2] = 0;
    return std::string_view(bytes, hex.size() / 2);
  }

  Result<CString> ReadText(const Value& v) {
    std::string_view text;
    if (v.IsObject() && v.MemberCount() == 1 && v.HasMember("bytes") && v["bytes"].IsString()) {
      RELCACHE_ASSIGN(text, ReadHex(Text(v["bytes"])));
    } else if (v.IsString()) {
      text = cx_.CopyString(Text(v));
    } else {
      return Fail(Wrong("expected a string"));
    }
    if (text.find('\0') != std::string_view::npos)
      return Fail(Wrong("expected a string without NUL"));
    return CString(text.data());
  }

  Result<Node*> ReadStruct(const Value& v) {
    const NodeType* type = nullptr;
    if (v["node"].IsString())
      for (const NodeType& t : NodeTypes())
        if (t.name == Text(v["node"])) type = &t;
    if (type == nullptr || type->label(version_).empty())
      return Fail(Wrong("expected a node type of this version of PostgreSQL in \"node\""));
    char* place = static_cast<char*>(cx_.Allocate(type->size));
    // Members that this version does not write keep their defaults.
    std::memcpy(place, type->prototype, type->size);
    Node* node = reinterpret_cast<Node*>(place);
    std::size_t used = 1;
    // In the order of the table, because rtekind decides which of the later fields there are, and a
    // Const's length and kind say how to read its value.
    for (const NodeField& f : type->fields) {
      if (!IsFieldWritten(f, *node, version_)) continue;
      const std::string label(f.label());
      const auto member = v.FindMember(label.c_str());
      if (member == v.MemberEnd()) return Fail(In(label, Wrong("the field is missing")));
      ++used;
      if (Status status = ReadField(member->value, *node, place + f.offset, f); !status)
        return Fail(In(label, std::move(status).error()));
    }
    if (Const* constant = As<Const>(node)) {
      if (const auto mark = v.FindMember("bytes_unsigned"); mark != v.MemberEnd()) {
        constant->bytes_unsigned = mark->value.IsTrue();
        ++used;
      }
    }
    // Every field was found, so a larger number means a surplus or a repeated one.
    if (v.MemberCount() != used) return Fail(Wrong("a surplus or repeated field"));
    return node;
  }

  Status ReadField(const Value& v, Node& node, char* member, const NodeField& f) {
    const auto point = [&](const void* target) { std::memcpy(member, &target, sizeof target); };
    switch (f.kind) {
      case FieldKind::kNumber: {
        if (!v.IsInt64() || v.GetInt64() < f.low || v.GetInt64() > f.high)
          return Fail(Wrong(Format("expected an integer from {} to {}", f.low, f.high)));
        const std::int64_t value = v.GetInt64();
        std::memcpy(member, &value, f.size);
        return {};
      }
      case FieldKind::kBool:
        if (!v.IsBool()) return Fail(Wrong("expected true or false"));
        *member = v.GetBool();
        return {};
      case FieldKind::kBoolWord: {
        constexpr std::string_view kWords[] = {"and", "or", "not"};
        for (char i = 0; i < 3; ++i)
          if (v.IsString() && Text(v) == kWords[static_cast<int>(i)]) {
            *member = i;
            return {};
          }
        return Fail(Wrong("expected and, or, not"));
      }
      case FieldKind::kChar: {
        if (v.IsNull()) return {};
        RELCACHE_ASSIGN(const CString text, ReadText(v));
        if (text.view().size() != 1) return Fail(Wrong("expected one character"));
        *member = text.view()[0];
        return {};
      }
      case FieldKind::kDouble: {
        if (!v.IsNumber()) return Fail(Wrong("expected a number"));
        const double value = v.GetDouble();
        std::memcpy(member, &value, sizeof value);
        return {};
      }
      case FieldKind::kString: {
        if (v.IsNull()) return {};
        RELCACHE_ASSIGN(const CString text, ReadText(v));
        point(text.c_str());
        return {};
      }
      case FieldKind::kNode: {
        RELCACHE_ASSIGN(const Node* child, Read(v));
        if (child != nullptr && !FitsField(child->tag, f.child))
          return Fail(Wrong("a node of another type was expected"));
        point(child);
        return {};
      }
      case FieldKind::kBitmapset: {
        RELCACHE_ASSIGN(const Node* set, ReadNumbers<Bitmapset>(v));
        point(set);
        return {};
      }
      case FieldKind::kDatum:
        return ReadDatum(v, static_cast<Const&>(node));
    }
    return {};
  }

  Status ReadDatum(const Value& v, Const& node) {
    if (node.constisnull != v.IsNull())
      return Fail(Wrong("expected null where constisnull is true, and only there"));
    if (node.constisnull) return {};
    std::string_view bytes;
    if (node.constbyval) {
      if (!v.IsInt64()) return Fail(Wrong("expected an integer, the value's word"));
      node.constvalue = Int64GetDatum(v.GetInt64());
      bytes = {reinterpret_cast<const char*>(&node.constvalue), 8};
    } else {
      if (!v.IsString()) return Fail(Wrong("expected hexadecimal digits"));
      RELCACHE_ASSIGN(bytes, ReadHex(Text(v)));
      node.constvalue = PointerGetDatum(bytes.data());
    }
    if (const char* problem = wire::DatumProblem(node, bytes))
      return Fail(Wrong(std::string("expected ") + problem));
    return {};
  }

  const int version_;
  std::uint32_t depth_left_;
  std::uint64_t nodes_left_;
  StackGuard stack_;
  MemoryContext& cx_;
};

}  // namespace

Result<Node*> JsonToNode(std::string_view json, const TreeOptions& options, MemoryContext& cx) {
  if (options.pg_version < kOldestPgVersion || options.pg_version > kNewestPgVersion)
    return Fail(NotSupported(Format("node trees of PostgreSQL {}", options.pg_version)));
  if (json.size() > options.max_bytes)
    return Fail(ErrorCode::kLimit, "54000", "node tree is too long");
  json::Document document(cx);
  RELCACHE_TRY(document.Parse(json));
  return JsonReader(options, cx).Read(document.root());
}

}  // namespace relcache
