// Which objects the text of a node tree names, without reading the tree.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "relcache/base/oid.h"

namespace relcache {

struct TreeOid {
  enum class Kind : std::uint8_t { kType, kProc, kOperator, kCollation };
  Kind kind;
  Oid oid;
  friend auto operator<=>(const TreeOid&, const TreeOid&) = default;
};

/// Adds what the fields of `text` name whose values are oids of types, functions, operators and
/// collations: known by the fields' names, which are the same in every version of PostgreSQL and in
/// every kind of node. Any text will do; a damaged one names less. Cost: one pass.
void AppendTreeOids(std::string_view text, std::vector<TreeOid>& out);

}  // namespace relcache
