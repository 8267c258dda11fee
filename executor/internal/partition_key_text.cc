#include "relcache/executor/internal/partition_key_text.h"

#include "relcache/catalog/internal/builtin.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache::internal {
namespace {

const List* ArgumentsOf(const Node* node) {
  if (const auto* call = As<FuncExpr>(node)) return call->args;
  if (const auto* op = As<OpExpr>(node)) return op->args;
  return nullptr;
}

/// Whether an operand needs no parentheses of its own.
bool IsSimple(const Node* node) {
  if (const auto* call = As<FuncExpr>(node)) return call->funcformat == CoercionForm::kExplicitCall;
  return As<Var>(node) != nullptr || As<Const>(node) != nullptr;
}

}  // namespace

void PartitionKeyText::AddColumn(std::string_view name) {
  if (!text_.empty()) text_ += ", ";
  text_ += QuoteIdentifier(name);
}

void PartitionKeyText::AddExpression(const Node& tree) {
  std::string out;
  if (!printable_ || !Print(&tree, out)) {
    printable_ = false;
    return;
  }
  if (!text_.empty()) text_ += ", ";
  const auto* call = As<FuncExpr>(&tree);
  const bool looks_like_call =
      call != nullptr && (call->funcformat == CoercionForm::kExplicitCall ||
                          call->funcformat == CoercionForm::kSqlSyntax);
  text_ += looks_like_call ? out : "(" + out + ")";
}

bool PartitionKeyText::Print(const Node* node, std::string& out) {
  if (node == nullptr) return false;
  if (const auto* var = As<Var>(node)) {
    const AttributeRow* column = table_.attribute(var->varattno);
    if (column == nullptr) return false;
    out += QuoteIdentifier(column->attname);
    return true;
  }
  if (const auto* relabel = As<RelabelType>(node)) {
    if (relabel->relabelformat == CoercionForm::kImplicitCast) return Print(relabel->arg, out);
    return PrintCast(relabel->arg, relabel->resulttype, relabel->resulttypmod, out);
  }
  if (As<Const>(node) != nullptr) return PrintConstant(node, out);
  if (As<FuncExpr>(node) != nullptr) return PrintCall(node, out);
  if (As<OpExpr>(node) != nullptr) return PrintOperator(node, out);
  return false;
}

bool PartitionKeyText::PrintConstant(const Node* node, std::string& out) {
  const auto& constant = *As<Const>(node);
  if (constant.constisnull || FindTypeInfo(constant.consttype) == nullptr) return false;
  const ContextPtr cx = AllocSet::CreateRoot("partition key text");
  const auto value = TypeOutput(constant.consttype, constant.constvalue, SessionSettings(), *cx);
  if (!value) return false;
  if (constant.consttype == kInt4Oid && !value->starts_with('-')) {
    out += *value;
    return true;
  }
  if (constant.consttype == kBoolOid) {
    out += DatumGetBool(constant.constvalue) ? "true" : "false";
    return true;
  }
  if (value->find_first_of("'\\") != std::string_view::npos) return false;
  out += "'" + std::string(*value) + "'::" + FormatType(constant.consttype, constant.consttypmod);
  return true;
}

bool PartitionKeyText::PrintCast(const Node* arg, Oid type, std::int32_t typmod, std::string& out) {
  if (FindTypeInfo(type) == nullptr) return false;
  std::string inner;
  if (!Print(arg, inner)) return false;
  out += IsSimple(arg) && As<Const>(arg) == nullptr ? inner : "(" + inner + ")";
  out += "::" + FormatType(type, typmod);
  return true;
}

bool PartitionKeyText::PrintCall(const Node* node, std::string& out) {
  const auto& call = *As<FuncExpr>(node);
  const List* args = ArgumentsOf(node);
  if (args == nullptr || args->size() == 0 || call.funcvariadic) return false;
  if (call.funcformat == CoercionForm::kImplicitCast) return Print((*args)[0], out);
  if (call.funcformat == CoercionForm::kExplicitCast)
    return args->size() == 1 && PrintCast((*args)[0], call.funcresulttype, -1, out);
  const BuiltinProc* proc = FindBuiltinProc(call.funcid);
  if (proc == nullptr || call.funcformat != CoercionForm::kExplicitCall) return false;
  out += QuoteIdentifier(proc->proname) + "(";
  for (std::size_t i = 0; i < args->size(); ++i) {
    if (i > 0) out += ", ";
    if (!Print((*args)[i], out)) return false;
  }
  out += ")";
  return true;
}

bool PartitionKeyText::PrintOperator(const Node* node, std::string& out) {
  const List* args = ArgumentsOf(node);
  const BuiltinOperator* op = FindBuiltinOperator(As<OpExpr>(node)->opno);
  if (op == nullptr || args == nullptr || args->size() != 2) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    // Which operators need parentheses around others depends on a table of precedences.
    const Node* arg = (*args)[i];
    if (!IsSimple(arg)) return false;
    if (i == 1) out += " " + std::string(op->oprname) + " ";
    if (!Print(arg, out)) return false;
  }
  return true;
}

}  // namespace relcache::internal
