#include "relcache/nodes/print.h"

#include <ostream>
#include <string>
#include <vector>

#include "relcache/nodes/internal/writer.h"
#include "relcache/nodes/walk.h"

namespace relcache {
namespace {

// Printable, in one line, with quotes.
void AppendQuoted(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 127) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

void AppendDatum(std::string& out, const Const& node) {
  if (node.constbyval) {
    out += std::to_string(DatumGetInt64(node.constvalue));
    return;
  }
  std::string_view bytes = node.bytes();
  if (node.constlen == -1) bytes.remove_prefix(std::min<std::size_t>(bytes.size(), kVarHdrSz));
  AppendQuoted(out, bytes);
}

void AppendField(std::string& out, const Node& node, const NodeField& f) {
  const char* member = reinterpret_cast<const char*>(&node) + f.offset;
  const auto begin = [&] {
    out += ' ';
    out += f.label();
    out += '=';
  };
  switch (f.kind) {
    case FieldKind::kNode:
    case FieldKind::kBitmapset:
      return;
    case FieldKind::kString: {
      const CString text(static_cast<const char*>(wire::LoadPointer(member)));
      if (text.is_null()) return;
      begin();
      return AppendQuoted(out, text.view());
    }
    case FieldKind::kDatum:
      if (static_cast<const Const&>(node).constisnull) return;
      begin();
      return AppendDatum(out, static_cast<const Const&>(node));
    case FieldKind::kDouble: {
      double value;
      std::memcpy(&value, member, sizeof value);
      if (value == 0) return;
      begin();
      out += wire::FormatDouble(value, kNewestPgVersion);
      return;
    }
    default: {
      const char* const bytes = reinterpret_cast<const char*>(&node);
      if (wire::LoadBits(bytes, f) == f.initial && f.kind != FieldKind::kBoolWord) return;
      begin();
      const std::int64_t value = wire::LoadNumber(bytes, f);
      if (f.kind == FieldKind::kBool)
        out += value != 0 ? "true" : "false";
      else if (f.kind == FieldKind::kBoolWord)
        out += value == 0 ? "and" : value == 1 ? "or" : "not";
      else if (f.kind == FieldKind::kChar)
        out += static_cast<char>(value);
      else
        out += std::to_string(value);
    }
  }
}

// The entry under which the newest version has field i's member: its name there.
const NodeField& NewestEntry(const NodeType& type, std::size_t i) {
  for (const NodeField& f : type.fields.subspan(i))
    if (f.offset == type.fields[i].offset && f.written_in(kNewestPgVersion)) return f;
  return type.fields[i];
}

template <class L>
void AppendNumbers(std::string& out, const Node& node) {
  for (const auto n : static_cast<const L&>(node)) {
    out += ' ';
    out += std::to_string(n);
  }
}

// A node without what is below it.
void AppendNode(std::string& out, const Node& node) {
  out += NodeTypeName(node.tag);
  switch (node.tag) {
    case NodeTag::kList: {
      const List& list = static_cast<const List&>(node);
      out += " of ";
      out += std::to_string(list.size());
      for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i] == nullptr) out += ", " + std::to_string(i) + " is <>";
      return;
    }
    case NodeTag::kIntList:
      return AppendNumbers<IntList>(out, node);
    case NodeTag::kOidList:
      return AppendNumbers<OidList>(out, node);
    case NodeTag::kBitmapset:
      return AppendNumbers<Bitmapset>(out, node);
    case NodeTag::kString:
      out += ' ';
      return AppendQuoted(out, static_cast<const String&>(node).sval.view());
    default: {
      const NodeType& type = NodeTypeOf(node.tag);
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        if (!type.repeats(i)) AppendField(out, node, NewestEntry(type, i));
    }
  }
}

}  // namespace

std::string NodeToText(const Node* tree) {
  if (tree == nullptr) return "<>\n";
  std::string out;
  TreeWalker walker(tree);
  while (const Node* node = walker.Next()) {
    // Beyond a depth that anybody reads, indenting would make the text quadratic.
    out.append(2 * std::min<std::size_t>(walker.depth(), 200), ' ');
    if (walker.field() != nullptr) {
      out += walker.field()->label();
      out += ": ";
    }
    AppendNode(out, *node);
    out += '\n';
  }
  return out;
}

std::string NodeToDot(const Node* tree) {
  std::string out = "digraph tree {\n  node [shape=box, fontname=monospace];\n";
  std::vector<std::size_t> above;  // the number of the last node of each depth
  std::size_t number = 0;
  TreeWalker walker(tree);
  while (const Node* node = walker.Next()) {
    std::string label;
    AppendNode(label, *node);
    out += "  n" + std::to_string(number) + " [label=";
    AppendQuoted(out, label);
    out += "];\n";
    const std::uint32_t depth = walker.depth();
    if (depth > 0) {
      out += "  n" + std::to_string(above[depth - 1]) + " -> n" + std::to_string(number);
      if (walker.field() != nullptr) {
        out += " [label=\"";
        out += walker.field()->label();
        out += "\"]";
      }
      out += ";\n";
    }
    above.resize(depth + 1);
    above[depth] = number++;
  }
  return out + "}\n";
}

std::ostream& operator<<(std::ostream& out, const Node& node) {
  return out << NodeToText(&node);
}

void PrintTo(const Node* node, std::ostream* out) {
  *out << '\n' << NodeToText(node);
}

}  // namespace relcache
