#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/internal/json_text.h"
#include "relcache/nodes/internal/stack_guard.h"
#include "relcache/nodes/internal/writer.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/node_type.h"
#include "relcache/types/internal/hex.h"
#include "relcache/types/internal/text.h"

namespace relcache {
namespace {

class JsonWriter {
 public:
  /// `cx` takes the text as it grows.
  JsonWriter(const TreeOptions& options, MemoryContext& cx)
      : version_(options.pg_version),
        max_bytes_(options.max_bytes),
        depth_left_(options.max_depth),
        nodes_left_(options.max_nodes),
        allocator_(cx) {}

  Status Write(const Node* node) {
    if (buffer_.GetSize() > max_bytes_)
      return Fail(ErrorCode::kLimit, "54000", "node tree is too long");
    if (node == nullptr) return Nothing(json_.Null());
    if (depth_left_ == 0 || !stack_.ok())
      return Fail(ErrorCode::kLimit, "54001", "node tree is nested too deeply");
    if (nodes_left_ == 0) return Fail(ErrorCode::kLimit, "54000", "node tree has too many nodes");
    --depth_left_;
    --nodes_left_;
    RELCACHE_TRY(IsStructNode(node->tag) ? WriteStruct(*node) : WriteValueNode(*node));
    ++depth_left_;
    return {};
  }

  std::string_view text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  // RapidJSON's bools say nothing: memory that runs out throws.
  static Status Nothing(bool) { return {}; }

  // JSON is UTF-8; the strings of a tree are in the server's encoding.
  void WriteString(std::string_view text) {
    if (CheckUtf8(text)) {
      json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
      return;
    }
    json_.StartObject();
    json_.Key("bytes");
    const std::string hex = HexText(text);
    json_.String(hex.data(), static_cast<rapidjson::SizeType>(hex.size()));
    json_.EndObject();
  }

  template <class L>
  void WriteNumbers(const L& list) {
    json_.StartArray();
    for (const auto n : list) json_.Int64(n);
    json_.EndArray();
  }

  Status WriteValueNode(const Node& node) {
    switch (node.tag) {
      case NodeTag::kList:
        json_.StartArray();
        for (const Node* element : static_cast<const List&>(node)) RELCACHE_TRY(Write(element));
        json_.EndArray();
        return {};
      case NodeTag::kString:
        WriteString(static_cast<const String&>(node).sval);
        return {};
      case NodeTag::kIntList:
      case NodeTag::kOidList:
        json_.StartObject();
        json_.Key(node.tag == NodeTag::kIntList ? "int" : "oid");
        if (node.tag == NodeTag::kIntList)
          WriteNumbers(static_cast<const IntList&>(node));
        else
          WriteNumbers(static_cast<const OidList&>(node));
        json_.EndObject();
        return {};
      default:
        return Fail(ErrorCode::kInvalidInput, "XX000", "a set stands where a node belongs");
    }
  }

  Status WriteStruct(const Node& node) {
    const NodeType& type = NodeTypeOf(node.tag);
    if (type.label(version_).empty())
      return Fail(NotSupported(Format("{} in node trees of PostgreSQL {}", type.name, version_)));
    json_.StartObject();
    json_.Key("node");
    json_.String(type.name.data(), static_cast<rapidjson::SizeType>(type.name.size()));
    for (const NodeField& f : type.fields) {
      if (!IsFieldWritten(f, node, version_)) continue;
      json_.Key(f.label().data(), static_cast<rapidjson::SizeType>(f.label().size()));
      if (Status status = WriteField(node, f); !status) return status;
    }
    if (const Const* constant = As<Const>(&node); constant != nullptr && constant->bytes_unsigned) {
      json_.Key("bytes_unsigned");
      json_.Bool(true);
    }
    json_.EndObject();
    return {};
  }

  Status WriteField(const Node& node, const NodeField& f) {
    const char* const bytes = reinterpret_cast<const char*>(&node);
    const char* const member = bytes + f.offset;
    switch (f.kind) {
      case FieldKind::kNumber:
        return Nothing(json_.Int64(wire::LoadNumber(bytes, f)));
      case FieldKind::kBool:
        return Nothing(json_.Bool(*member != 0));
      case FieldKind::kBoolWord: {
        const auto value = wire::LoadBits(bytes, f);
        return Nothing(json_.String(value == 0 ? "and" : value == 1 ? "or" : "not"));
      }
      case FieldKind::kChar:
        if (*member == 0) return Nothing(json_.Null());
        WriteString({member, 1});
        return {};
      case FieldKind::kDouble: {
        double value;
        std::memcpy(&value, member, sizeof value);
        if (!std::isfinite(value))
          return Fail(ErrorCode::kInvalidInput, "22003", "a number that is not finite has no JSON");
        return Nothing(json_.Double(value));
      }
      case FieldKind::kString: {
        const CString text(static_cast<const char*>(wire::LoadPointer(member)));
        if (text.is_null()) return Nothing(json_.Null());
        WriteString(text);
        return {};
      }
      case FieldKind::kNode:
        return Write(static_cast<const Node*>(wire::LoadPointer(member)));
      case FieldKind::kBitmapset: {
        const auto* set = static_cast<const Bitmapset*>(wire::LoadPointer(member));
        if (set == nullptr) {
          json_.StartArray();
          json_.EndArray();
        } else {
          WriteNumbers(*set);
        }
        return {};
      }
      case FieldKind::kDatum: {
        const Const& constant = static_cast<const Const&>(node);
        if (constant.constisnull) return Nothing(json_.Null());
        if (constant.constbyval) return Nothing(json_.Int64(DatumGetInt64(constant.constvalue)));
        const std::string hex = HexText(constant.bytes());
        return Nothing(json_.String(hex.data(), static_cast<rapidjson::SizeType>(hex.size())));
      }
    }
    return {};
  }

  using Utf8 = rapidjson::UTF8<>;
  using Buffer = rapidjson::GenericStringBuffer<Utf8, json::ContextAllocator>;

  const int version_;
  const std::uint64_t max_bytes_;
  std::uint32_t depth_left_;
  std::uint64_t nodes_left_;
  StackGuard stack_;
  json::ContextAllocator allocator_;
  Buffer buffer_{&allocator_};
  rapidjson::Writer<Buffer, Utf8, Utf8, json::ContextAllocator> json_{buffer_, &allocator_};
};

}  // namespace

Result<std::string_view> NodeToJson(const Node* tree, const TreeOptions& options,
                                    MemoryContext& cx) {
  const ContextPtr growing(&AllocSet::Create("json text", cx));
  JsonWriter writer(options, *growing);
  RELCACHE_TRY(writer.Write(tree));
  if (writer.text().size() > options.max_bytes)
    return Fail(ErrorCode::kLimit, "54000", "node tree is too long");
  return cx.CopyString(writer.text());
}

}  // namespace relcache
