// The columns of a partition key as SQL, for messages (pg_get_partkeydef_columns in ruleutils.c).
#pragma once

#include <string>
#include <string_view>

#include "relcache/cache/relation_descriptor.h"
#include "relcache/nodes/node.h"

namespace relcache::internal {

/// Puts the text together, column by column. It prints the expressions that partition keys usually
/// are: calls, casts and operators over columns and constants.
class PartitionKeyText {
 public:
  explicit PartitionKeyText(const RelationDescriptor& table) : table_(table) {}

  void AddColumn(std::string_view name);
  void AddExpression(const Node& tree);
  /// "a, lower(b), ((c + 1))"; empty if there is an expression that cannot be printed.
  std::string Finish() { return printable_ ? std::move(text_) : std::string(); }

 private:
  bool Print(const Node* node, std::string& out);
  bool PrintConstant(const Node* node, std::string& out);
  bool PrintCast(const Node* arg, Oid type, std::int32_t typmod, std::string& out);
  bool PrintCall(const Node* node, std::string& out);
  bool PrintOperator(const Node* node, std::string& out);

  const RelationDescriptor& table_;
  std::string text_;
  bool printable_ = true;
};

}  // namespace relcache::internal
