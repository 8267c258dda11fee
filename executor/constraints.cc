#include "relcache/executor/constraints.h"

#include <algorithm>

#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

/// Bytes of a value that a message shows.
constexpr std::size_t kMaxShown = 64;

bool IsNotNull(const AttributeRow& a, bool is_virtual) {
  return a.attnotnull && !a.attisdropped && (a.attgenerated == 'v') == is_virtual;
}

/// How many of a relation's CHECKs PostgreSQL enforces: those that relchecks has room for, by name
/// (CheckConstraintFetch, ExecRelCheck). A source that does not know relchecks leaves it negative.
Result<std::size_t> EnforcedChecks(const RelationDescriptor& relation) {
  const std::size_t rows = relation.checks().size();
  const int told = relation.pg_class().relchecks;
  if (told < 0 || told == static_cast<int>(rows)) return rows;
  if (told == 0) return 0;
  const int missing = told - static_cast<int>(rows);
  const std::string name(relation.name());
  if (relation.pg_version() < 14)
    return Fail(ErrorCode::kInvalidInput, "XX000",
                missing > 0
                    ? std::to_string(missing) + " constraint record(s) missing for rel " + name
                    : "unexpected constraint record found for rel " + name);
  if (missing > 0)
    return Fail(
        ErrorCode::kInvalidInput, "XX000",
        std::to_string(missing) + " pg_constraint record(s) missing for relation \"" + name + "\"");
  return static_cast<std::size_t>(told);
}

/// Whether PostgreSQL verifies rows of the relation itself; refused if it has none.
Result<bool> VerifiesRows(const RelationDescriptor& relation) {
  switch (relation.relkind()) {
    case 'r':
    case 'p':
      return true;
    case 'f':
      return false;
    default:
      return Fail(NotSupported("rows of a relation of relkind " +
                               std::string(1, relation.relkind()) + ": \"" +
                               std::string(relation.name()) + "\""));
  }
}

/// A RowChecks without programs: the columns, and room for the checks.
struct Frame {
  RowChecks* checks;
  std::span<PreparedCheck> prepared;
};

Frame MakeFrame(const RelationDescriptor& relation, MemoryContext& cx) {
  RowChecks* checks = cx.New<RowChecks>();
  checks->relation = &relation;
  std::size_t not_null = 0;
  for (const AttributeRow& a : relation.attributes()) not_null += IsNotNull(a, false) ? 1 : 0;
  std::span<AttrNumber> columns = cx.NewArray<AttrNumber>(not_null);
  std::size_t n = 0;
  for (const AttributeRow& a : relation.attributes())
    if (IsNotNull(a, false)) columns[n++] = a.attnum;
  checks->not_null = columns;
  std::span<PreparedCheck> prepared = cx.NewArray<PreparedCheck>(relation.checks().size());
  return {checks, prepared};
}

/// Fills the frame by program(check).
template <class ProgramFor>
Result<const RowChecks*> Prepare(const RelationDescriptor& relation, CatalogSource& source,
                                 const ProgramFor& program, MemoryContext& cx) {
  RELCACHE_ASSIGN(const bool verifies, VerifiesRows(relation));
  if (!verifies) {
    RowChecks* none = cx.New<RowChecks>();
    none->relation = &relation;
    return none;
  }
  RELCACHE_ASSIGN(const std::size_t enforced, EnforcedChecks(relation));
  const Frame frame = MakeFrame(relation, cx);
  const auto columns = relation.attributes();
  const auto is_virtual = [](const AttributeRow& a) { return IsNotNull(a, true); };
  const auto virtuals = static_cast<std::size_t>(std::ranges::count_if(columns, is_virtual));
  const std::span<PreparedNotNull> not_null = cx.NewArray<PreparedNotNull>(virtuals);
  std::size_t n = 0;
  for (const AttributeRow& a : columns) {
    if (!is_virtual(a)) continue;
    not_null[n].attnum = a.attnum;
    RELCACHE_ASSIGN(not_null[n++].program, HasValueProgram(relation, a.attnum, source));
  }
  frame.checks->virtual_not_null = not_null;
  n = 0;
  for (const CheckConstraint& check : relation.checks().first(enforced)) {
    if (!check.row().conenforced) continue;
    PreparedCheck& prepared = frame.prepared[n++];
    prepared.name = check.name();
    RELCACHE_ASSIGN(prepared.program, program(check));
  }
  frame.checks->checks = frame.prepared.first(n);
  return frame.checks;
}

/// Adds the time from here to the end of the block.
class Stage {
 public:
  Stage(StageTimes* times, std::uint64_t StageTimes::*stage)
      : times_(times), stage_(stage), begin_(times != nullptr ? times->Read() : 0) {}
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    if (times_ != nullptr) times_->*stage_ += times_->Read() - begin_;
  }

 private:
  StageTimes* times_;
  std::uint64_t StageTimes::*stage_;
  std::uint64_t begin_;
};

Error NotNullViolation(const RowChecks& checks, AttrNumber attnum, RowView row,
                       const Scratch& scratch, const RowText& text) {
  const RelationDescriptor& relation = *checks.relation;
  const AttributeRow& a = relation.attributes()[static_cast<std::size_t>(attnum) - 1];
  std::string message = "null value in column \"" + std::string(a.attname) + "\"";
  if (relation.pg_version() >= 13)
    message += " of relation \"" + std::string(relation.name()) + "\"";
  message += " violates not-null constraint";
  return Error(ErrorCode::kViolation, "23502", std::move(message))
      .WithDetail(DescribeRow(relation, row, scratch.settings(), text, scratch.cx()));
}

Error CheckViolation(const RowChecks& checks, std::string_view name, RowView row,
                     const Scratch& scratch, const RowText& text) {
  const RelationDescriptor& relation = *checks.relation;
  std::string message = "new row for relation \"" + std::string(relation.name()) +
                        "\" violates check constraint \"" + std::string(name) + "\"";
  return Error(ErrorCode::kViolation, "23514", std::move(message))
      .WithDetail(DescribeRow(relation, row, scratch.settings(), text, scratch.cx()));
}

/// The text of a value of a type that is not built in, by its domain's base or its enum's labels.
std::optional<std::string_view> OutputByRows(Oid type, Datum value, const SessionSettings& settings,
                                             ObjectLookup& objects, MemoryContext& cx) {
  constexpr int kDomainsOverDomains = 32;
  for (int i = 0; i < kDomainsOverDomains; ++i) {
    if (FindTypeInfo(type) != nullptr) {
      const Result<std::string_view> out = TypeOutput(type, value, settings, cx);
      return out ? std::optional(*out) : std::nullopt;
    }
    const Result<const TypeRows*> rows = objects.FindType(type);
    if (!rows || *rows == nullptr) return std::nullopt;
    for (const EnumRow& label : (*rows)->enums)
      if (label.oid == DatumGetObjectId(value)) return label.enumlabel;
    if ((*rows)->pg_type.typtype != 'd') return std::nullopt;
    type = (*rows)->pg_type.typbasetype;
  }
  return std::nullopt;
}

/// The longest prefix of whole UTF-8 characters in so many bytes (pg_mbcliplen).
std::string_view ClipBytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t n = bytes;
  while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;
  return text.substr(0, n);
}

}  // namespace

Result<const RowChecks*> ChecksOf(const RelationDescriptor& relation, CatalogSource& source) {
  return relation.derived().Get<RowChecks>(0, [&](DerivedBuild& build) -> Result<const RowChecks*> {
    return Prepare(
        relation, source,
        [&](const CheckConstraint& check) {
          return ProgramOf(relation, check.expression(), source);
        },
        build.cx());
  });
}

Result<const RowChecks*> PrepareChecks(const RelationDescriptor& relation, Expressions expressions,
                                       CatalogSource& source, MemoryContext& cx,
                                       StageTimes* times) {
  if (expressions == Expressions::kNone) return nullptr;
  if (expressions == Expressions::kCompiled) return ChecksOf(relation, source);
  SourceObjects objects(source, cx);
  return Prepare(
      relation, source,
      [&](const CheckConstraint& check) -> Result<const Program*> {
        const Node* tree = nullptr;
        if (expressions == Expressions::kReparse) {
          const Stage stage(times, &StageTimes::parse);
          ReadOptions options;
          options.pg_version = relation.pg_version();
          RELCACHE_ASSIGN(tree, StringToNode(check.text(), options, cx));
        } else {
          RELCACHE_ASSIGN(const TreeImage* image, check.expression().Get());
          if (expressions == Expressions::kCopy) {
            const Stage stage(times, &StageTimes::copy);
            tree = CopyTree(*image, cx);
          } else {
            tree = image->root();
          }
        }
        const Stage stage(times, &StageTimes::compile);
        return CompileFor(relation, tree, objects, /*borrow=*/true, cx);
      },
      cx);
}

bool RowPasses(const RowChecks& checks, RowView row, Scratch& scratch) {
  for (const AttrNumber attnum : checks.not_null)
    if (row[static_cast<std::size_t>(attnum) - 1].isnull) return false;
  for (const PreparedNotNull& column : checks.virtual_not_null)
    if (EvaluateBool(*column.program, row, scratch, nullptr) != Verdict::kTrue) return false;
  for (const PreparedCheck& check : checks.checks) {
    const Verdict verdict = EvaluateBool(*check.program, row, scratch, nullptr);
    if (verdict == Verdict::kFalse || verdict == Verdict::kError) return false;
  }
  return true;
}

Error WhyRowFails(const RowChecks& checks, RowView row, Scratch& scratch, const RowText& text) {
  for (const AttrNumber attnum : checks.not_null)
    if (row[static_cast<std::size_t>(attnum) - 1].isnull)
      return NotNullViolation(checks, attnum, row, scratch, text);
  for (const PreparedNotNull& column : checks.virtual_not_null) {
    Error error;
    const Verdict verdict = EvaluateBool(*column.program, row, scratch, &error);
    if (verdict == Verdict::kError) return error;
    if (verdict != Verdict::kTrue)
      return NotNullViolation(checks, column.attnum, row, scratch, text);
  }
  for (const PreparedCheck& check : checks.checks) {
    Error error;
    const Verdict verdict = EvaluateBool(*check.program, row, scratch, &error);
    if (verdict == Verdict::kError) return error;
    if (verdict == Verdict::kFalse) return CheckViolation(checks, check.name, row, scratch, text);
  }
  RELCACHE_CHECK(false);
  return Error();
}

std::string DescribeRow(const RelationDescriptor& relation, RowView row,
                        const SessionSettings& settings, const RowText& text, MemoryContext& cx) {
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
      if (const auto printed = TypeOutput(type, row[i].value, settings, cx)) value = *printed;
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
