#include "relcache/memory/context_dump.h"

#include <algorithm>
#include <vector>

#include "relcache/base/internal/format.h"

namespace relcache {
namespace {

constexpr std::size_t kShownIdentifier = 100;
// Lines of deeper contexts are indented like this level and say their own, so that the text of a
// long chain grows with its length and not with the square of it.
constexpr std::size_t kDeepestIndent = 50;

void AppendStats(std::string& out, const ContextStats& stats) {
  out += Format("{} total in {} blocks; {} free ({} chunks); {} used", stats.reserved, stats.blocks,
                stats.free, stats.free_chunks, stats.used);
  if (stats.foreign != 0) out += Format("; {} foreign", stats.foreign);
  out += '\n';
}

void AppendPrintable(std::string& out, std::string_view text) {
  for (const char c : text.substr(0, kShownIdentifier))
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  if (text.size() > kShownIdentifier) out += "...";
}

void AppendIndent(std::string& out, std::size_t level) {
  out.append(std::min(level, kDeepestIndent) * 2, ' ');
  if (level > kDeepestIndent) out += "level " + std::to_string(level) + ": ";
}

void AppendLine(std::string& out, const MemoryContext& context, int level) {
  AppendIndent(out, static_cast<std::size_t>(level));
  out += context.name();
  if (!context.identifier().empty()) {
    out += ": ";
    AppendPrintable(out, context.identifier());
  }
  out += ": ";
  AppendStats(out, context.Stats());
}

/// Appends a JSON string (RFC 8259). Bytes that are not UTF-8 are copied unchanged.
void AppendJsonString(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

void AppendObject(std::string& out, const MemoryContext& context, int level) {
  const ContextStats stats = context.Stats();
  out += "{\"name\":";
  AppendJsonString(out, context.name());
  out += ",\"ident\":";
  if (context.identifier().empty()) {
    out += "null";
  } else {
    AppendJsonString(out, context.identifier());
  }
  out += ",\"type\":";
  out += context.kind() == ContextKind::kBump ? "\"Bump\"" : "\"AllocSet\"";
  out += ",\"parent\":";
  if (level == 0) {
    out += "null";
  } else {
    AppendJsonString(out, context.parent()->name());
  }
  const auto number = [&](const char* key, std::size_t value) {
    out += ",\"";
    out += key;
    out += Format("\":{}", value);
  };
  number("level", static_cast<std::size_t>(level) + 1);
  number("total_bytes", stats.reserved);
  number("total_nblocks", stats.blocks);
  number("free_bytes", stats.free);
  number("free_chunks", stats.free_chunks);
  number("used_bytes", stats.used);
  number("foreign_bytes", stats.foreign);
  out += '}';
}

/// The children of one context that are not shown, added up with their descendants.
struct Hidden {
  int shown = 0;
  std::size_t contexts = 0;
  ContextStats stats{.contexts = 0};
};

}  // namespace

std::string ContextsAsText(const MemoryContext& top, int max_children) {
  std::string out;
  AppendLine(out, top, 0);
  // One element for each level between the top and the current context.
  std::vector<Hidden> levels(1);
  // The level of the context whose children are currently not shown, or -1.
  int hidden_below = -1;
  const auto leave = [&](int level) {
    while (static_cast<int>(levels.size()) > level) {
      const Hidden& hidden = levels.back();
      if (hidden.contexts != 0) {
        AppendIndent(out, levels.size());
        out += Format("{} more child contexts containing ", hidden.contexts);
        AppendStats(out, hidden.stats);
      }
      levels.pop_back();
    }
  };
  top.VisitDescendants([&](const MemoryContext& context, int level) {
    if (hidden_below >= 0 && level > hidden_below + 1) {
      levels[static_cast<std::size_t>(hidden_below)].stats += context.Stats();
      return;
    }
    hidden_below = -1;
    leave(level);
    Hidden& siblings = levels[static_cast<std::size_t>(level) - 1];
    if (siblings.shown == max_children) {
      ++siblings.contexts;
      siblings.stats += context.Stats();
      hidden_below = level - 1;
      return;
    }
    ++siblings.shown;
    AppendLine(out, context, level);
    levels.emplace_back();
  });
  leave(0);
  out += "Grand total: ";
  AppendStats(out, top.TotalStats());
  return out;
}

std::string ContextsAsJson(const MemoryContext& top) {
  std::string out = "[";
  AppendObject(out, top, 0);
  top.VisitDescendants([&](const MemoryContext& context, int level) {
    out += ",\n ";
    AppendObject(out, context, level);
  });
  out += "]\n";
  return out;
}

}  // namespace relcache
