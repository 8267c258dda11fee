#include "relcache/executor/constraints.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/names.h"
#include "relcache/executor/internal/prepare_checks.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

/// The number of bytes of a value that a message shows, as in PostgreSQL.
constexpr std::size_t kMaxShown = 64;

bool IsNotNull(const AttributeRow& a, bool is_virtual) {
  return a.attnotnull && !a.attisdropped && (a.attgenerated == 'v') == is_virtual;
}

/// Copies an error into cx.
KeptError Keep(const Error& error, MemoryContext& cx) {
  return {error.code,
          cx.CopyString(error.sqlstate),
          cx.CopyString(error.message),
          cx.CopyString(error.detail),
          cx.CopyString(error.place),
          error.offset};
}

std::string PlaceOf(const RelationDescriptor& relation, std::string_view what,
                    std::string_view name) {
  return "relation " + std::string(relation.schema()) + "." + std::string(relation.name()) + ", " +
         std::string(what) + " " + std::string(name);
}

/// Whether an error means that relcache does not know the answer, rather than being PostgreSQL's
/// answer.
bool IsRefusal(const Error& error) {
  return error.code == ErrorCode::kNotSupported || error.code == ErrorCode::kLimit;
}

/// Whether PostgreSQL raises an error of preparing for every row. Errors about the tree itself
/// (XX000) and errors of the source do not concern rows.
bool IsRaisedByRows(const Error& error) {
  return (error.code == ErrorCode::kEvaluation || error.code == ErrorCode::kInvalidInput ||
          error.code == ErrorCode::kViolation) &&
         std::string_view(error.sqlstate) != "XX000";
}

/// Whether PostgreSQL verifies rows of the relation. Relations without rows are refused.
Result<bool> VerifiesRows(const RelationDescriptor& relation) {
  switch (relation.relkind()) {
    case 'r':
    case 'p':
      return true;
    case 'f':
      return false;
    default:
      return Fail(NotSupported("rows of " + RelationKindName(relation.relkind()) + " \"" +
                               std::string(relation.name()) + "\""));
  }
}

/// Makes a RelationConstraints in cx.
class Preparation {
 public:
  Preparation(const RelationDescriptor& relation, UnsupportedConstraints unsupported,
              MemoryContext& cx)
      : relation_(relation),
        unsupported_(unsupported),
        cx_(cx),
        checks_(*cx.New<RelationConstraints>()) {
    checks_.relation = &relation;
  }

  Result<const RelationConstraints*> Run(const internal::CheckProgram& program) {
    RELCACHE_ASSIGN(const bool verifies, VerifiesRows(relation_));
    RELCACHE_ASSIGN(const std::size_t enforced, EnforcedChecks());
    if (!verifies) {
      checks_.checks_error = nullptr;
      return &checks_;
    }
    refused_ = cx_.NewArray<RefusedConstraint>(enforced + relation_.attributes().size());
    RELCACHE_TRY(NotNull());
    const std::span<PreparedCheck> prepared = cx_.NewArray<PreparedCheck>(enforced);
    std::size_t n = 0;
    for (const CheckConstraint& check : relation_.checks().first(enforced)) {
      if (!check.row().conenforced) continue;
      Result<const Program*> made = program(check);
      if (made) {
        prepared[n++] = {check.name(), *made};
      } else {
        RELCACHE_TRY(Failed(check.name(), 0, std::move(made).error(), checks_.checks_error));
      }
    }
    checks_.checks = prepared.first(n);
    checks_.refused = refused_.first(refused_count_);
    return &checks_;
  }

 private:
  /// The number of CHECK constraints that PostgreSQL enforces: the first ones by name, as many as
  /// relchecks says. If there are fewer, PostgreSQL 14 and later report it for each row
  /// (ExecRelCheck), and earlier versions when the relation is opened (CheckConstraintFetch). A
  /// source that does not know the number leaves it negative.
  Result<std::size_t> EnforcedChecks() {
    const std::size_t rows = relation_.checks().size();
    const int told = relation_.pg_class().relchecks;
    if (told < 0 || told == static_cast<int>(rows)) return rows;
    if (told == 0) return 0;
    const int missing = told - static_cast<int>(rows);
    const std::string name(relation_.name());
    auto error = [](std::string text) {
      return Error(ErrorCode::kInvalidInput, "XX000", std::move(text));
    };
    if (relation_.pg_version() < 14)
      return Fail(error(missing > 0
                            ? Format("{} constraint record(s) missing for rel {}", missing, name)
                            : "unexpected constraint record found for rel " + name));
    if (missing < 0) return static_cast<std::size_t>(told);
    checks_.checks_error = cx_.New<KeptError>(
        Keep(error(Format("{} pg_constraint record(s) missing for relation \"{}\"", missing, name)),
             cx_));
    return 0;
  }

  Status NotNull() {
    const std::span<const AttributeRow> columns = relation_.attributes();
    const std::span<AttrNumber> plain = cx_.NewArray<AttrNumber>(columns.size());
    std::size_t plains = 0, virtuals = 0;
    for (const AttributeRow& a : columns) {
      if (IsNotNull(a, false)) plain[plains++] = a.attnum;
      virtuals += IsNotNull(a, true) ? 1 : 0;
    }
    checks_.not_null = plain.first(plains);
    const std::span<PreparedNotNull> prepared = cx_.NewArray<PreparedNotNull>(virtuals);
    std::size_t n = 0;
    for (const AttributeRow& a : columns) {
      if (!IsNotNull(a, true)) continue;
      Result<const Program*> made = HasValueProgram(relation_, a.attnum);
      if (made) {
        prepared[n++] = {a.attnum, *made};
      } else {
        RELCACHE_TRY(
            Failed(a.attname, a.attnum, std::move(made).error(), checks_.virtual_not_null_error));
      }
    }
    checks_.virtual_not_null = prepared.first(n);
    return {};
  }

  /// Handles an error of preparing a constraint.
  Status Failed(std::string_view name, AttrNumber attnum, Error error, const KeptError*& raised) {
    if (IsRefusal(error) && unsupported_ == UnsupportedConstraints::kSkip) {
      refused_[refused_count_++] = {name, attnum, Keep(error, cx_)};
      return {};
    }
    if (!IsRaisedByRows(error)) return Fail(std::move(error));
    if (raised == nullptr) raised = cx_.New<KeptError>(Keep(error, cx_));
    return {};
  }

  const RelationDescriptor& relation_;
  const UnsupportedConstraints unsupported_;
  MemoryContext& cx_;
  RelationConstraints& checks_;
  std::span<RefusedConstraint> refused_;
  std::size_t refused_count_ = 0;
};

/// The text of a value whose type is not built in, by way of the base type of its domain or the
/// labels of its enum.
std::optional<std::string_view> OutputByRows(Oid type, Datum value, const SessionSettings& settings,
                                             ObjectLookup& objects, MemoryContext& cx) {
  const Result<BaseType> base = FindBaseType(type, objects);
  if (!base) return std::nullopt;
  if (base->rows == nullptr) {
    const Result<std::string_view> out =
        TypeOutput(base->oid, value, settings, cx, {objects.info().server_version_num});
    return out ? std::optional(*out) : std::nullopt;
  }
  for (const EnumRow& label : base->rows->enums)
    if (label.oid == DatumGetObjectId(value)) return label.enumlabel;
  return std::nullopt;
}

/// The longest prefix of whole UTF-8 characters with at most so many bytes (pg_mbcliplen).
std::string_view ClipBytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t n = bytes;
  while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;
  return text.substr(0, n);
}

}  // namespace

Error NotNullViolation(const RelationDescriptor& relation, AttrNumber attnum, std::string detail) {
  const AttributeRow& a = relation.attributes()[static_cast<std::size_t>(attnum) - 1];
  std::string message = "null value in column \"" + std::string(a.attname) + "\"";
  if (relation.pg_version() >= 13)
    message += " of relation \"" + std::string(relation.name()) + "\"";
  message += " violates not-null constraint";
  return Error(ErrorCode::kViolation, "23502", std::move(message)).WithDetail(std::move(detail));
}

Error CheckViolation(const RelationDescriptor& relation, std::string_view check,
                     std::string detail) {
  std::string message = "new row for relation \"" + std::string(relation.name()) +
                        "\" violates check constraint \"" + std::string(check) + "\"";
  return Error(ErrorCode::kViolation, "23514", std::move(message)).WithDetail(std::move(detail));
}

Error KeptError::Get() const {
  Error error(code, sqlstate, std::string(message));
  error.detail = detail;
  error.place = place;
  error.offset = offset;
  return error;
}

Result<const RelationConstraints*> internal::MakeRelationConstraints(
    const RelationDescriptor& relation, UnsupportedConstraints unsupported,
    const CheckProgram& program, MemoryContext& cx) {
  return Preparation(relation, unsupported, cx).Run(program);
}

Result<const RelationConstraints*> ChecksOf(const RelationDescriptor& relation,
                                            UnsupportedConstraints unsupported) {
  return relation.derived().Get<RelationConstraints>(
      static_cast<std::uint64_t>(unsupported),
      [&](DerivedBuild& build) -> Result<const RelationConstraints*> {
        return internal::MakeRelationConstraints(
            relation, unsupported,
            [&](const CheckConstraint& check) { return ProgramOf(relation, check.expression()); },
            build.cx());
      });
}

bool RowPasses(const RelationConstraints& checks, DatumRow row, Scratch& scratch) {
  for (const AttrNumber attnum : checks.not_null)
    if (row[static_cast<std::size_t>(attnum) - 1].isnull) return false;
  if (checks.virtual_not_null_error != nullptr || checks.checks_error != nullptr) return false;
  for (const PreparedNotNull& column : checks.virtual_not_null)
    if (EvaluateBool(*column.program, row, scratch, nullptr) != TruthValue::kTrue) return false;
  for (const PreparedCheck& check : checks.checks) {
    const TruthValue verdict = EvaluateBool(*check.program, row, scratch, nullptr);
    if (verdict == TruthValue::kFalse || verdict == TruthValue::kError) return false;
  }
  return checks.refused.empty();
}

namespace {

/// Verifies a row, constraint by constraint, up to the one that decides.
class Verification {
 public:
  Verification(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
               const RowMessageInput& text, bool past_refusals)
      : checks_(checks), row_(row), scratch_(scratch), text_(text), past_refusals_(past_refusals) {}

  /// Sets `why` unless the row passes.
  RowVerdict Run(Error& why) {
    for (const AttrNumber attnum : checks_.not_null)
      if (row_[static_cast<std::size_t>(attnum) - 1].isnull)
        return Fails(NotNullViolation(relation(), attnum, Describe()), why);
    if (checks_.virtual_not_null_error != nullptr)
      return Fails(checks_.virtual_not_null_error->Get(), why);
    for (const PreparedNotNull& column : checks_.virtual_not_null) {
      const TruthValue verdict = EvaluateBool(*column.program, row_, scratch_, &error_);
      if (verdict == TruthValue::kError) {
        if (Stops("column", relation().attribute(column.attnum)->attname)) return Stopped(why);
      } else if (verdict != TruthValue::kTrue) {
        return Fails(NotNullViolation(relation(), column.attnum, Describe()), why);
      }
    }
    if (checks_.checks_error != nullptr) return Fails(checks_.checks_error->Get(), why);
    for (const PreparedCheck& check : checks_.checks) {
      const TruthValue verdict = EvaluateBool(*check.program, row_, scratch_, &error_);
      if (verdict == TruthValue::kError && Stops("constraint", check.name)) return Stopped(why);
      if (verdict == TruthValue::kFalse)
        return Fails(CheckViolation(relation(), check.name, Describe()), why);
    }
    if (!refusal_ && !checks_.refused.empty()) refusal_ = checks_.refused[0].reason.Get();
    if (!refusal_) return RowVerdict::kPasses;
    why = std::move(*refusal_);
    return RowVerdict::kNotVerified;
  }

 private:
  const RelationDescriptor& relation() const { return *checks_.relation; }
  std::string Describe() const {
    return DescribeRow(relation(), row_, scratch_.settings(), text_, scratch_.cx());
  }

  /// Whether error_ ends the verification. Something that is not supported does not, because
  /// another constraint may decide that the row fails.
  bool Stops(std::string_view what, std::string_view name) {
    Error placed = std::move(error_).At(PlaceOf(relation(), what, name));
    error_ = std::move(placed);
    if (!IsRefusal(error_) || !past_refusals_) return true;
    if (!refusal_) refusal_ = std::move(error_);
    return false;
  }
  RowVerdict Stopped(Error& why) {
    why = std::move(error_);
    return IsRefusal(why) ? RowVerdict::kNotVerified : RowVerdict::kFails;
  }
  static RowVerdict Fails(Error error, Error& why) {
    why = std::move(error);
    return RowVerdict::kFails;
  }

  const RelationConstraints& checks_;
  const DatumRow row_;
  Scratch& scratch_;
  const RowMessageInput& text_;
  const bool past_refusals_;
  Error error_;
  std::optional<Error> refusal_;
};

}  // namespace

Status WhyRowFails(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
                   const RowMessageInput& text) {
  Error error;
  if (Verification(checks, row, scratch, text, false).Run(error) == RowVerdict::kPasses) return {};
  return Fail(std::move(error));
}

RowVerdict VerifyRow(const RelationConstraints& checks, DatumRow row, Scratch& scratch, Error* why,
                     const RowMessageInput& text) {
  if (RowPasses(checks, row, scratch)) [[likely]]
    return RowVerdict::kPasses;
  Error error;
  const RowVerdict verdict = Verification(checks, row, scratch, text, true).Run(error);
  if (why != nullptr) *why = std::move(error);
  return verdict;
}

std::string DescribeRow(const RelationDescriptor& relation, DatumRow row,
                        const SessionSettings& settings, const RowMessageInput& text,
                        MemoryContext& cx) {
  std::string out = "Failing row contains (";
  bool any = false;
  const std::span<const AttributeRow> attributes = relation.attributes();
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].attisdropped) continue;
    if (std::exchange(any, true)) out += ", ";
    if (attributes[i].attgenerated == 'v') {
      out += "virtual";
      continue;
    }
    if (i >= row.size() || row[i].isnull) {
      out += "null";
      continue;
    }
    const Oid type = attributes[i].atttypid;
    std::optional<std::string_view> value;
    if (FindTypeInfo(type) != nullptr) {
      const ServerVersion version{relation.pg_version() * 10000};
      if (const auto printed = TypeOutput(type, row[i].value, settings, cx, version))
        value = *printed;
    } else if (text.objects != nullptr) {
      value = OutputByRows(type, row[i].value, settings, *text.objects, cx);
    }
    if (!value) value = i < text.input.size() ? text.input[i] : std::string_view("???");
    const std::string_view shown = ClipBytes(*value, kMaxShown);
    out += shown;
    if (shown.size() < value->size()) out += "...";
  }
  return out + ").";
}

}  // namespace relcache
