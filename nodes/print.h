// Prints node trees for people, as indented text or as a graph (PostgreSQL's nodes/print.c).
#pragma once

#include <iosfwd>
#include <string>

#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// One line for each node, indented by its depth, with the fields that differ from their defaults:
///
///     OpExpr opno=521 opfuncid=147 opresulttype=16
///       args: List of 2
///         Var varno=1 varattno=1 vartype=23
///         Const constlen=4 constbyval=true consttype=23 constvalue=0
///
/// Null is printed as "<>". Programs should use NodeToString instead. The depth of the tree does
/// not matter.
std::string NodeToText(const Node* tree);

/// The tree as a graph in the language of Graphviz. The command `relcache tree show --as dot`
/// prints it; `dot -Tsvg` makes a picture of it.
std::string NodeToDot(const Node* tree);

/// Print a node for GoogleTest when a test fails.
std::ostream& operator<<(std::ostream& out, const Node& node);
void PrintTo(const Node* node, std::ostream* out);

}  // namespace relcache
