#include "relcache/executor/plan/explain.h"

#include <utility>

namespace relcache {
namespace {

std::string Kilobytes(std::uint64_t bytes) {
  return std::to_string((bytes + 1023) / 1024) + "kB";
}

// `indent` is that of the node's own name; what belongs to it stands two further in. An arrow takes
// the place of four of the six columns that an input is indented by.
void Write(const PlanOperator& node, std::size_t indent, std::string& out) {
  const PlanOperatorDescription description = node.Describe();
  out += description.name;
  if (description.rows) out += " (rows=" + std::to_string(*description.rows) + ")";
  out += '\n';
  for (const std::string& detail : description.details) {
    out.append(indent + 2, ' ');
    out += detail;
    out += '\n';
  }
  for (const PlanOperator* input : description.inputs) {
    out.append(indent + 2, ' ');
    out += "->  ";
    Write(*input, indent + 6, out);
  }
}

}  // namespace

void PlanOperatorDescription::Add(std::string_view label, std::string_view text) {
  details.push_back(std::string(label) + ": ");
  details.back() += text;
}

void PlanOperatorDescription::AddCount(std::string_view label, std::uint64_t count) {
  if (count > 0) Add(label, std::to_string(count));
}

void PlanOperatorDescription::AddMemory(const PlanOperatorCounters& counters, std::string first) {
  std::string text = std::move(first);
  if (!text.empty()) text += "  ";
  text += "Batches: " + std::to_string(counters.passes);
  text += "  Memory Usage: " + Kilobytes(counters.peak_bytes);
  if (counters.spilled_bytes > 0) text += "  Disk Usage: " + Kilobytes(counters.spilled_bytes);
  if (counters.overrun_bytes > 0) text += "  Over Limit: " + Kilobytes(counters.overrun_bytes);
  details.push_back(std::move(text));
}

std::vector<std::string> ColumnNames(std::size_t columns, std::string_view prefix) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < columns; ++c)
    names.push_back(std::string(prefix) + "c" + std::to_string(c));
  return names;
}

std::string JoinTexts(const std::vector<std::string>& texts, std::string_view separator) {
  std::string out;
  for (const std::string& text : texts) {
    if (!out.empty()) out += separator;
    out += text;
  }
  return out;
}

// An operator that says nothing of itself: PostgreSQL's name for a node of an extension's.
PlanOperatorDescription PlanOperator::Describe() const {
  return {.name = "Custom Scan", .rows = {}, .details = {}, .inputs = {}};
}

std::string BatchPredicate::ToString(std::span<const std::string>) const {
  return "custom condition";
}

std::string BatchExpression::ToString(std::span<const std::string>) const {
  return "custom expression";
}

std::string ExplainPlan(const PlanOperator& root) {
  std::string out;
  Write(root, 0, out);
  return out;
}

}  // namespace relcache
