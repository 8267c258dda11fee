// Trees for people.
#pragma once

#include <iosfwd>
#include <string>

#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// One line a node, indented by depth, with the fields that are not at their default:
///
///     OpExpr opno=521 opfuncid=147 opresulttype=16
///       args: List of 2
///         Var varno=1 varattno=1 vartype=23
///         Const constlen=4 constbyval=true consttype=23 constvalue=0
///
/// "<>" for null. For people and test failures; NodeToString is for programs. No depth is too deep.
std::string NodeToText(const Node* tree);

/// The tree as a graph for Graphviz: relcache tree show --as dot ... | dot -Tsvg
std::string NodeToDot(const Node* tree);

/// What a failing test prints.
std::ostream& operator<<(std::ostream& out, const Node& node);
void PrintTo(const Node* node, std::ostream* out);

}  // namespace relcache
