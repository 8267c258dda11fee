#include "relcache/copy/row_checker.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/copy/internal/check_plan.h"
#include "relcache/copy/internal/line_scan.h"

namespace relcache {

using internal::CheckPlan;
using internal::ColumnValues;
using internal::ComputedColumn;
using internal::FileColumn;
using Kind = RowViolation::Kind;

std::string_view RowViolationKindName(Kind kind) {
  static constexpr std::string_view kNames[] = {"not_null",  "check", "partition", "domain",
                                                "generated", "input", "error"};
  return kNames[static_cast<std::size_t>(kind)];
}

// ---- RowChecker

struct RowChecker::Impl {
  CheckPlan plan;
};

RowChecker::RowChecker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RowChecker::~RowChecker() = default;

Result<std::unique_ptr<RowChecker>> RowChecker::Make(RelationCache& cache, Oid relation,
                                                     const CopyColumns& columns,
                                                     const RowCheckOptions& options) {
  auto impl = std::make_unique<Impl>();
  RELCACHE_TRY(internal::MakeCheckPlan(cache, relation, columns, options, impl->plan));
  return std::unique_ptr<RowChecker>(new RowChecker(std::move(impl)));
}

const RelationDescriptor& RowChecker::relation() const {
  return *impl_->plan.pin;
}
const PartitionRouter* RowChecker::router() const {
  return impl_->plan.router.get();
}
std::span<const PreparedCheck> RowChecker::checks() const {
  return impl_->plan.table.checks;
}
std::span<const std::string> RowChecker::skipped() const {
  return impl_->plan.skipped;
}

// ---- RowCheckRun

namespace {

bool IsRefusal(const Error& error) {
  return error.code == ErrorCode::kNotSupported || error.code == ErrorCode::kLimit;
}

/// The name between the last quotes of `... violates check constraint "x"`.
std::string ConstraintIn(const std::string& message) {
  constexpr std::string_view kBefore = " violates check constraint \"";
  const std::size_t at = message.rfind(kBefore);
  if (at == std::string::npos || !message.ends_with('"')) return {};
  const std::size_t begin = at + kBefore.size();
  return message.substr(begin, message.size() - 1 - begin);
}

}  // namespace

struct RowCheckRun::Impl {
  explicit Impl(const CheckPlan& shared)
      : plan(shared), scratch(shared.options.settings, *cx), objects(shared.pin->source(), *cx) {
    const std::size_t columns = plan.pin->attributes().size();
    values.resize(columns);
    for (std::size_t i = 0; i < columns; ++i)
      if (!plan.pin->attributes()[i].attisdropped) values[i] = std::make_unique<ColumnValues>();
    batch_columns.resize(columns);
    row.resize(columns);
    texts.resize(columns);
    if (plan.options.every_check) check_verdicts.resize(plan.table.checks.size());
    for (auto& one : check_verdicts) one.resize(CopyBatch::kRows);
  }

  RowCheckResult Check(const CopyBatch& copied);
  void Counts(const CopyBatch& copied);
  void Input(const CopyBatch& copied, std::size_t i);
  std::span<const CopyField> Forced(const FileColumn& column, std::span<const CopyField> fields);
  void Compute(const ComputedColumn& column, Kind kind);
  void Unknown();
  void Route();
  void Constraints();
  void KeepVerdicts(std::size_t check);
  void LookAt(std::size_t at);
  std::optional<RowViolation> Why(const RelationConstraints& constraints, DatumRow values_of_row);
  bool InPartition(std::size_t at);
  std::string Describe();
  void MakeRow(std::size_t at);
  RowViolation& Add(std::size_t at, Kind kind, Error error);

  const CheckPlan& plan;
  ContextPtr cx = AllocSet::CreateRoot("row check");
  Scratch scratch;
  SourceObjects objects;
  std::vector<std::unique_ptr<ColumnValues>> values;
  std::vector<BatchColumn> batch_columns;
  std::vector<CopyField> forced;
  const CopyBatch* batch = nullptr;
  std::size_t rows = 0;
  std::uint8_t failed[CopyBatch::kRows];
  std::uint8_t suspect[CopyBatch::kRows];
  std::uint8_t refused[CopyBatch::kRows];
  TruthValue verdicts[CopyBatch::kRows];
  std::vector<std::int32_t> leaves;
  std::vector<std::vector<TruthValue>> check_verdicts;
  std::vector<CheckError> check_errors;
  std::vector<RowViolation> violations;
  std::vector<NullableDatum> row, leaf_row;
  std::vector<std::string_view> texts;
};

RowCheckRun::RowCheckRun(const RowChecker& checker)
    : impl_(std::make_unique<Impl>(checker.impl_->plan)) {}
RowCheckRun::~RowCheckRun() = default;

RowCheckResult RowCheckRun::Check(const CopyBatch& batch) {
  return impl_->Check(batch);
}

RowViolation& RowCheckRun::Impl::Add(std::size_t at, Kind kind, Error error) {
  failed[at] = 1;
  RowViolation& out = violations.emplace_back();
  out.row = static_cast<std::uint16_t>(at);
  out.kind = kind;
  out.error = std::move(error);
  return out;
}

RowCheckResult RowCheckRun::Impl::Check(const CopyBatch& copied) {
  batch = &copied;
  rows = copied.rows;
  violations.clear();
  check_errors.clear();
  cx->Reset();
  std::memset(failed, 0, rows);
  if (!copied.all_complete) Counts(copied);
  for (std::size_t i = 0; i < plan.file_columns.size(); ++i) Input(copied, i);
  for (const ComputedColumn& column : plan.defaults) Compute(column, Kind::kError);
  Unknown();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != nullptr) batch_columns[i] = values[i]->Column();
  if (plan.router != nullptr) Route();
  for (const ComputedColumn& column : plan.generated) Compute(column, Kind::kGenerated);
  Constraints();
  std::ranges::stable_sort(violations, {}, &RowViolation::row);
  RowCheckResult out;
  out.violations = violations;
  if (plan.router != nullptr) out.leaves = {leaves.data(), rows};
  out.checks = check_verdicts;
  out.check_errors = check_errors;
  out.refused = {refused, rows};
  return out;
}

/// Lines that cannot be taken apart, and lines with too many fields.
void RowCheckRun::Impl::Counts(const CopyBatch& copied) {
  for (const CopyFault& fault : copied.faults) Add(fault.row, Kind::kInput, fault.error);
  const std::size_t columns = plan.file_columns.size();
  for (std::size_t at = 0; at < rows; ++at) {
    const bool too_many = columns > 0 ? copied.field_counts[at] > columns : !copied.raw[at].empty();
    if (failed[at] == 0 && too_many)
      Add(at, Kind::kInput, internal::BadFormat("extra data after last expected column"));
  }
}

/// FORCE_NULL and FORCE_NOT_NULL.
std::span<const CopyField> RowCheckRun::Impl::Forced(const FileColumn& column,
                                                     std::span<const CopyField> fields) {
  if (!column.force_null && !column.force_not_null) return fields;
  forced.assign(fields.begin(), fields.end());
  const std::string& null_text = plan.null_text;
  for (CopyField& field : forced) {
    if (field.is_null() && column.force_not_null) {
      field = {null_text.c_str(), static_cast<std::uint32_t>(null_text.size())};
    } else if (!field.is_null() && column.force_null && field.text() == null_text) {
      field = {};
    }
  }
  return forced;
}

void RowCheckRun::Impl::Input(const CopyBatch& copied, std::size_t i) {
  const FileColumn& column = plan.file_columns[i];
  const AttributeRow& attribute = plan.column(column.attnum);
  if (!copied.all_complete) {
    for (std::size_t at = 0; at < rows; ++at)
      if (failed[at] == 0 && copied.field_counts[at] <= i)
        Add(at, Kind::kInput,
            internal::BadFormat(Format("missing data for column \"{}\"", attribute.attname)))
            .column = attribute.attname;
  }
  const std::span<const CopyField> fields = Forced(column, copied.column(i));
  ColumnValues& out = *values[static_cast<std::size_t>(column.attnum) - 1];
  column.input.Convert(fields, failed, scratch, out, [&](std::size_t at, Error error) {
    const std::string_view state = error.sqlstate;
    const bool domain = column.input.is_domain() && (state == "23514" || state == "23502");
    const Kind kind = domain ? Kind::kDomain : IsRefusal(error) ? Kind::kError : Kind::kInput;
    RowViolation& violation = Add(at, kind, std::move(error));
    violation.column = attribute.attname;
    violation.value = fields[at].is_null() ? std::string() : std::string(fields[at].text());
    if (domain) violation.constraint = ConstraintIn(violation.error.message);
  });
}

void RowCheckRun::Impl::Compute(const ComputedColumn& column, Kind kind) {
  const std::size_t index = static_cast<std::size_t>(column.attnum) - 1;
  const BatchResult result =
      EvaluateSlice(*column.program, {batch_columns, rows}, 0, rows, scratch);
  ColumnValues& out = *values[index];
  out.form = plan.forms[index];
  out.type = column.program->result_type();
  std::memcpy(out.values, result.column.values, rows * WidthOf(out.form));
  out.any_null = result.column.nulls != nullptr;
  if (out.any_null) std::memcpy(out.nulls, result.column.nulls, rows);
  const std::vector<std::uint16_t> broken(result.failed.begin(), result.failed.end());
  if (!broken.empty() && !out.any_null) std::memset(out.nulls, 0, rows);
  for (const std::uint16_t at : broken) {
    out.any_null = true;
    out.nulls[at] = 1;
    StoreDatum(out.form, out.values, at, Datum{});
    if (failed[at] != 0) continue;
    MakeRow(at);
    Result<NullableDatum> one = Evaluate(*column.program, row, scratch);
    if (one) continue;
    const Kind as = IsRefusal(one.error()) ? Kind::kError : kind;
    Add(at, as, std::move(one).error()).column = plan.column(column.attnum).attname;
  }
  batch_columns[index] = out.Column();
}

/// Columns without a default, and those whose default is not known, are NULL here.
void RowCheckRun::Impl::Unknown() {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr || plan.is_set[i]) continue;
    ColumnValues& out = *values[i];
    out.form = plan.forms[i];
    std::memset(out.values, 0, rows * WidthOf(out.form));
    std::memset(out.nulls, 1, rows);
    out.any_null = true;
  }
}

void RowCheckRun::Impl::MakeRow(std::size_t at) {
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = values[i] == nullptr ? NullableDatum{} : batch_columns[i].Get(at);
  for (std::size_t i = 0; i < plan.file_columns.size(); ++i) {
    const CopyField& field = batch->column(i)[at];
    texts[static_cast<std::size_t>(plan.file_columns[i].attnum) - 1] =
        batch->field_counts[at] > i && !field.is_null() ? field.text() : std::string_view();
  }
}

std::string RowCheckRun::Impl::Describe() {
  RowMessageInput input;
  input.input = texts;
  input.objects = &objects;
  return DescribeRow(*plan.pin, row, scratch.settings(), input, *cx);
}

/// The partition of each row. A table that is a partition itself only takes rows that belong there.
void RowCheckRun::Impl::Route() {
  leaves.resize(CopyBatch::kRows);
  if (plan.partition != nullptr)
    for (std::size_t at = 0; at < rows; ++at)
      if (failed[at] == 0) InPartition(at);
  plan.router->RouteBatch({batch_columns, rows}, scratch, leaves);
  for (std::size_t at = 0; at < rows; ++at) {
    if (failed[at] != 0) leaves[at] = PartitionRouter::kNotRouted;
    if (failed[at] != 0 || leaves[at] >= 0) continue;
    MakeRow(at);
    Result<std::size_t> leaf = plan.router->Route(row, scratch);
    if (leaf) continue;
    const bool none = std::string_view(leaf.error().sqlstate) == "23514";
    Add(at, none ? Kind::kPartition : Kind::kError, std::move(leaf).error());
  }
}

bool RowCheckRun::Impl::InPartition(std::size_t at) {
  MakeRow(at);
  const Result<bool> holds = plan.partition->Holds(row, scratch);
  if (!holds) {
    Add(at, Kind::kError, holds.error());
  } else if (!*holds) {
    Add(at, Kind::kPartition,
        Error(ErrorCode::kViolation, "23514",
              Format("new row for relation \"{}\" violates partition constraint", plan.pin->name()))
            .WithDetail(Describe()));
  }
  return holds && *holds;
}

/// Evaluates the constraints batch by batch, and looks closer at rows that do not satisfy them.
void RowCheckRun::Impl::Constraints() {
  const RelationConstraints& constraints = plan.table.constraints;
  const ColumnBatch columns{batch_columns, rows};
  std::memset(suspect, 0, rows);
  std::memcpy(refused, failed, rows);
  for (const AttrNumber attnum : constraints.not_null) {
    const std::uint8_t* nulls = batch_columns[static_cast<std::size_t>(attnum) - 1].nulls;
    if (nulls == nullptr) continue;
    for (std::size_t at = 0; at < rows; ++at) {
      suspect[at] |= nulls[at];
      refused[at] |= nulls[at];
    }
  }
  const auto all_suspect = [&] { std::memset(suspect, 1, rows); };
  if (constraints.virtual_not_null_error != nullptr || constraints.checks_error != nullptr)
    all_suspect();
  for (const PreparedNotNull& column : constraints.virtual_not_null) {
    EvaluateBatch(*column.program, columns, scratch, verdicts);
    for (std::size_t at = 0; at < rows; ++at)
      if (verdicts[at] != TruthValue::kTrue) suspect[at] = refused[at] = 1;
  }
  for (std::size_t i = 0; i < constraints.checks.size(); ++i) {
    EvaluateBatch(*constraints.checks[i].program, columns, scratch, verdicts);
    if (plan.options.every_check) KeepVerdicts(i);
    for (std::size_t at = 0; at < rows; ++at)
      suspect[at] |= verdicts[at] == TruthValue::kFalse || verdicts[at] == TruthValue::kError;
  }
  const bool every_row = plan.partition != nullptr && plan.router == nullptr;
  for (std::size_t at = 0; at < rows; ++at) {
    if (failed[at] != 0) continue;
    const bool own =
        plan.router != nullptr && !plan.leaves[static_cast<std::size_t>(leaves[at])].covered;
    if (suspect[at] != 0 || own) LookAt(at);
    if (every_row && failed[at] == 0) InPartition(at);
  }
}

void RowCheckRun::Impl::KeepVerdicts(std::size_t check) {
  std::copy(verdicts, verdicts + rows, check_verdicts[check].begin());
  for (std::size_t at = 0; at < rows; ++at) {
    if (verdicts[at] != TruthValue::kError || refused[at] != 0) continue;
    MakeRow(at);
    CheckError error{check, static_cast<std::uint16_t>(at), {}};
    EvaluateBool(*plan.table.checks[check].program, row, scratch, &error.error);
    check_errors.push_back(std::move(error));
  }
}

void RowCheckRun::Impl::LookAt(std::size_t at) {
  MakeRow(at);
  std::optional<RowViolation> why;
  if (plan.router == nullptr) {
    why = Why(plan.table.constraints, row);
  } else {
    const auto index = static_cast<std::size_t>(leaves[at]);
    const PartitionRouter::Leaf& leaf = plan.router->leaves()[index];
    leaf_row.resize(leaf.relation->attributes().size());
    ConvertToLeaf(leaf, row, leaf_row);
    why = Why(plan.leaves[index].known.constraints, leaf_row);
  }
  if (!why) return;
  why->row = static_cast<std::uint16_t>(at);
  failed[at] = 1;
  violations.push_back(*std::move(why));
}

/// What PostgreSQL reports of a row, if anything. Something that relcache cannot tell is reported
/// only if nothing else is wrong with the row.
std::optional<RowViolation> RowCheckRun::Impl::Why(const RelationConstraints& constraints,
                                                   DatumRow values_of_row) {
  const RelationDescriptor& relation = *constraints.relation;
  RowViolation out;
  std::optional<RowViolation> undecided;
  const auto is_null = [&](AttrNumber attnum) {
    out.kind = Kind::kNotNull;
    out.column = relation.attributes()[static_cast<std::size_t>(attnum) - 1].attname;
    out.error = NotNullViolation(relation, attnum, Describe());
    return out;
  };
  for (const AttrNumber attnum : constraints.not_null)
    if (values_of_row[static_cast<std::size_t>(attnum) - 1].isnull) return is_null(attnum);
  for (const PreparedNotNull& column : constraints.virtual_not_null) {
    const TruthValue verdict = EvaluateBool(*column.program, values_of_row, scratch, &out.error);
    if (verdict == TruthValue::kError) return out;
    if (verdict != TruthValue::kTrue) return is_null(column.attnum);
  }
  for (const KeptError* error : {constraints.virtual_not_null_error, constraints.checks_error}) {
    if (error == nullptr) continue;
    out.error = error->Get();
    return out;
  }
  for (const PreparedCheck& check : constraints.checks) {
    Error error;
    const TruthValue verdict = EvaluateBool(*check.program, values_of_row, scratch, &error);
    if (verdict != TruthValue::kFalse && verdict != TruthValue::kError) continue;
    out.constraint = check.name;
    if (verdict == TruthValue::kFalse) {
      out.kind = Kind::kCheck;
      out.error = CheckViolation(relation, check.name, Describe());
      return out;
    }
    out.kind = Kind::kError;
    out.error = std::move(error);
    if (!IsRefusal(out.error)) return out;
    if (!undecided) undecided = out;
  }
  return undecided;
}

}  // namespace relcache
