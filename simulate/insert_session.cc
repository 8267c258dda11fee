#include "relcache/simulate/insert_session.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/names.h"
#include "relcache/executor/expressions/cached_program.h"

namespace relcache {

namespace {
/// Triggers whose statements fire triggers: PostgreSQL stops at the end of its stack.
constexpr int kMaxDepth = 100;

// TRIGGER_TYPE_ROW, TRIGGER_TYPE_BEFORE, TRIGGER_TYPE_INSERT: bits of tgtype.
constexpr int kRow = 1, kBefore = 2, kInsert = 4;

/// Whether a trigger or a rule is for sessions that are no replicas.
bool IsEnabled(char enabled) {
  return enabled == 'O' || enabled == 'A';
}

/// What the server says of relations that take no rows; what has rows elsewhere is refused.
Status TakesRows(const RelationDescriptor& relation) {
  const std::string kind = RelationKindName(relation.relkind());
  const std::string name = " \"" + std::string(relation.name()) + "\"";
  auto fail = [&](std::string message) {
    return Error(ErrorCode::kInvalidInput, "42809", std::move(message));
  };
  switch (relation.relkind()) {
    case 'r':
      return {};
    case 'm':
    case 'S':
      return Fail(fail("cannot change " + kind + name));
    case 't':
      return Fail(fail("cannot change TOAST relation" + name));
    case 'i':
    case 'I':
    case 'c': {
      const bool is_type = relation.relkind() == 'c';
      if (relation.pg_version() >= 16)
        return Fail(fail("cannot open relation" + name)
                        .WithDetail("This operation is not supported for " + kind +
                                    (is_type ? "s." : "es.")));
      return Fail(fail(name.substr(1) + (is_type ? " is a composite type" : " is an index")));
    }
    default:
      return Fail(NotSupported("INSERT into " + kind + name));
  }
}

/// What to call a trigger: of a foreign key, the constraint.
std::string NameOfTrigger(const RelationDescriptor& relation, const TriggerRow& trigger) {
  for (const ConstraintRow& constraint : relation.rows().constraints)
    if (trigger.tgisinternal && constraint.oid == trigger.tgconstraint)
      return "constraint \"" + std::string(constraint.conname) + "\"";
  return "trigger \"" + std::string(trigger.tgname) + "\"";
}

/// What the server does for an INSERT beside triggers and checks, or an empty text.
std::string Undone(const RelationDescriptor& relation) {
  const ClassRow& row = relation.pg_class();
  constexpr char kInsertEvent = '3';  // CMD_INSERT as a digit
  for (const RuleDescriptor& rule : relation.rules())
    if (rule.row().ev_type == kInsertEvent && IsEnabled(rule.row().ev_enabled))
      return "with rule \"" + std::string(rule.name()) + "\"";
  if (row.relrowsecurity) return "under row security";
  if (row.relispartition) return "that is a partition, whose bound is not verified";
  for (const IndexDescriptor& index : relation.indexes())
    if ((index.row().indisunique || index.row().indisexclusion) && index.row().indisready)
      return "with unique index \"" + std::string(index.name()) + "\"";
  return {};
}

}  // namespace

/// A table with its triggers.
struct InsertSession::Target {
  explicit Target(std::span<const AttributeRow> attributes) : table(attributes) {}

  struct Trigger {
    std::string name;
    RowTrigger function;
    /// What the catalog says, as of `inspected`.
    bool is_enabled = true;
    /// Its place among the relation's triggers, if it is one of them.
    std::optional<std::size_t> place;
  };

  HeapTable table;
  std::vector<Trigger> triggers;
  /// The relation's version that was last found fit to be inserted into.
  std::optional<std::uint64_t> inspected;
  /// Its generated columns.
  std::vector<AttrNumber> generated;
};

/// What a statement holds while it runs.
struct InsertSession::Statement {
  RelationPin relation;
  Target* target = nullptr;
  /// The constraints, once a row has come to them; nullptr if they are not verified.
  const RelationConstraints* checks = nullptr;
  bool prepared = false;
  /// For what lasts as long as the statement.
  MemoryContext* statement_cx = nullptr;
  /// For what lasts as long as a row.
  MemoryContext* cx = nullptr;
};

namespace {

/// A child context for as long as a statement takes.
class StatementContext {
 public:
  explicit StatementContext(MemoryContext& parent) : cx_(&AllocSet::Create("statement", parent)) {}
  MemoryContext& operator*() const { return *cx_; }

 private:
  ContextPtr cx_;
};

}  // namespace

InsertSession::InsertSession(RelationCache& cache, SessionSettings settings)
    : cache_(cache),
      cx_(AllocSet::CreateRoot("insert session")),
      scratch_(std::move(settings), *cx_) {}

InsertSession::~InsertSession() = default;

Result<InsertSession::Target*> InsertSession::TargetOf(Oid relation) {
  if (const auto found = targets_.find(relation); found != targets_.end())
    return found->second.get();
  RELCACHE_ASSIGN(const RelationPin pin, cache_.Open(relation));
  return targets_.emplace(relation, std::make_unique<Target>(pin->attributes()))
      .first->second.get();
}

Result<HeapTable*> InsertSession::Table(Oid relation) {
  RELCACHE_ASSIGN(Target* const target, TargetOf(relation));
  return &target->table;
}

void InsertSession::AddTrigger(Oid relation, std::string name, RowTrigger trigger) {
  Result<Target*> target = TargetOf(relation);
  RELCACHE_CHECK(target.has_value());
  (*target)->inspected.reset();
  auto& triggers = (*target)->triggers;
  // Kept in the order of their names, in which PostgreSQL fires them.
  const auto at = std::ranges::lower_bound(triggers, name, {}, &Target::Trigger::name);
  if (at != triggers.end() && at->name == name) {
    at->function = std::move(trigger);
  } else {
    triggers.insert(at, {std::move(name), std::move(trigger), true, std::nullopt});
  }
}

void InsertSession::set_unsupported(UnsupportedConstraints unsupported) {
  unsupported_ = unsupported;
  for (auto& [oid, target] : targets_) target->inspected.reset();
}

/// Whether the relation, in this version, can be inserted into; which triggers will fire.
Status InsertSession::Inspect(const RelationDescriptor& relation, Target& target) const {
  RELCACHE_TRY(TakesRows(relation));
  const auto refuse = [&](const std::string& why) {
    return Fail(NotSupported("INSERT into table \"" + std::string(relation.name()) + "\" " + why));
  };
  const bool strict = unsupported_ == UnsupportedConstraints::kFail;
  if (const std::string undone = Undone(relation); strict && !undone.empty()) return refuse(undone);
  for (Target::Trigger& trigger : target.triggers) {
    trigger.is_enabled = true;
    trigger.place.reset();
  }
  const std::span<const TriggerDescriptor> triggers = relation.triggers();
  for (std::size_t i = 0; i < triggers.size(); ++i) {
    const TriggerRow& row = triggers[i].row();
    const auto added = std::ranges::find(target.triggers, row.tgname, &Target::Trigger::name);
    const bool is_before_row =
        (row.tgtype & (kRow | kBefore | kInsert)) == (kRow | kBefore | kInsert);
    if (added != target.triggers.end()) {
      if (!is_before_row)
        return refuse("by trigger \"" + added->name +
                      "\", which is not BEFORE INSERT FOR EACH ROW");
      if (!relation.pg_class().relhastriggers)
        return refuse("with trigger \"" + added->name + "\", though relhastriggers is false");
      added->is_enabled = IsEnabled(row.tgenabled);
      added->place = i;
    } else if (strict && (row.tgtype & kInsert) != 0 && IsEnabled(row.tgenabled)) {
      return refuse("with " + NameOfTrigger(relation, row) +
                    (is_before_row ? ", for which no function was added" : ""));
    }
  }
  target.generated.clear();
  for (const AttributeRow& a : relation.attributes())
    if (a.attgenerated != '\0' && !a.attisdropped) target.generated.push_back(a.attnum);
  target.inspected = relation.version();
  return {};
}

/// Pins the relation for a statement, with its table.
Status InsertSession::Open(Oid relation, Statement& statement) {
  RELCACHE_ASSIGN(statement.relation, cache_.Open(relation));
  RELCACHE_ASSIGN(statement.target, TargetOf(relation));
  if (statement.target->inspected == statement.relation->version()) [[likely]]
    return {};
  return Inspect(*statement.relation, *statement.target);
}

/// The relation as it is now, the table as it was made, and the row must have the same columns.
bool InsertSession::HasShape(const Statement& statement, std::size_t columns) {
  return columns == statement.relation->attributes().size() &&
         columns == statement.target->table.column_count();
}

Error InsertSession::OtherShape(const Statement& statement) {
  return Error(ErrorCode::kInvalidInput, "42804",
               "row and table \"" + std::string(statement.relation->name()) +
                   "\" do not have the same columns");
}

/// Whether the WHEN of a trigger is true of NEW.
Result<bool> InsertSession::Fires(const Statement& statement, const TriggerDescriptor& trigger,
                                  DatumRow row) {
  if (trigger.when() == nullptr) return true;
  RELCACHE_ASSIGN(const Program* const when, ProgramOf(*statement.relation, *trigger.when()));
  scratch_.set_cx(*statement.cx);
  Error error;
  const TruthValue verdict = EvaluateBool(*when, row, scratch_, &error);
  if (verdict == TruthValue::kError) return Fail(std::move(error).At(trigger.when()->place()));
  return verdict == TruthValue::kTrue;
}

/// As ExecComputeStoredGenerated: from the other columns, none of which is generated.
Status InsertSession::ComputeGenerated(const Statement& statement, std::span<NullableDatum> row) {
  const RelationDescriptor& relation = *statement.relation;
  scratch_.set_cx(*statement.cx);
  for (const AttrNumber attnum : statement.target->generated) {
    NullableDatum& value = row[static_cast<std::size_t>(attnum) - 1];
    if (relation.attribute(attnum)->attgenerated == 'v') {
      value = {};
      continue;
    }
    const ColumnDefault* column = relation.default_of(attnum);
    if (column == nullptr)
      return Fail(ErrorCode::kInvalidInput, "XX000",
                  Format("no generation expression found for column number {} of table \"{}\"",
                         attnum, relation.name()));
    const Result<const Program*> program = ProgramOf(relation, column->expression());
    Result<NullableDatum> computed =
        program ? Evaluate(**program, row, scratch_) : Fail(Error(program.error()));
    if (computed) {
      value = *computed;
    } else if (computed.error().code != ErrorCode::kNotSupported ||
               unsupported_ == UnsupportedConstraints::kFail) {
      if (!program) return Fail(std::move(computed).error());
      return Fail(std::move(computed).error().At(column->expression().place()));
    }
  }
  return {};
}

Status InsertSession::Verify(Statement& statement, DatumRow row) {
  // Prepared for the first row that comes here, as ExecConstraints does it: a row that a trigger
  // took away needs none.
  if (!statement.prepared) {
    RELCACHE_ASSIGN(statement.checks, PrepareChecks(*statement.relation, check_mode_,
                                                    *statement.statement_cx, times_, unsupported_));
    statement.prepared = true;
  }
  if (statement.checks == nullptr) return {};
  scratch_.set_cx(*statement.cx);
  const std::uint64_t begin = times_ != nullptr ? times_->Read() : 0;
  if (!RowPasses(*statement.checks, row, scratch_)) [[unlikely]] {
    if (unsupported_ == UnsupportedConstraints::kFail)
      return WhyRowFails(*statement.checks, row, scratch_, {});
    Error why;
    if (VerifyRow(*statement.checks, row, scratch_, &why) == RowVerdict::kFails)
      return Fail(std::move(why));
  }
  if (times_ != nullptr) times_->evaluate += times_->Read() - begin;
  return {};
}

Result<bool> InsertSession::InsertRow(Statement& statement, std::span<NullableDatum> row) {
  Target& target = *statement.target;
  const RelationDescriptor& relation = *statement.relation;
  for (const Target::Trigger& trigger : target.triggers) {
    // A statement of the trigger before may have inspected another version of the relation.
    if (target.inspected != relation.version()) RELCACHE_TRY(Inspect(relation, target));
    if (!trigger.is_enabled) continue;
    if (trigger.place) {
      RELCACHE_ASSIGN(const bool fires, Fires(statement, relation.triggers()[*trigger.place], row));
      if (!fires) continue;
    }
    TriggerContext context{*this, relation, row, *statement.cx};
    RELCACHE_ASSIGN(const TriggerAction action, trigger.function(context));
    if (action == TriggerAction::kSkip) return false;
  }
  if (target.inspected != relation.version()) RELCACHE_TRY(Inspect(relation, target));
  if (!target.generated.empty()) RELCACHE_TRY(ComputeGenerated(statement, row));
  RELCACHE_TRY(Verify(statement, row));
  statement.target->table.Append(row);
  return true;
}

Result<std::size_t> InsertSession::Insert(Oid relation, DatumRow row) {
  if (depth_ >= kMaxDepth) return Fail(ErrorCode::kLimit, "54001", "stack depth limit exceeded");
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
  } const deeper(depth_);

  const StatementContext cx(*cx_);
  Statement statement;
  statement.statement_cx = statement.cx = &*cx;
  RELCACHE_TRY(Open(relation, statement));
  if (!HasShape(statement, row.size())) return Fail(OtherShape(statement));
  std::span<NullableDatum> values = statement.cx->NewArray<NullableDatum>(row.size());
  std::copy(row.begin(), row.end(), values.begin());
  RELCACHE_ASSIGN(const bool stored, InsertRow(statement, values));
  return stored ? 1 : 0;
}

Result<std::size_t> InsertSession::InsertAll(
    Oid relation,
    const std::function<bool(std::span<NullableDatum> row, MemoryContext& cx)>& next) {
  const StatementContext statement_cx(*cx_);
  Statement statement;
  RELCACHE_TRY(Open(relation, statement));
  if (!HasShape(statement, statement.target->table.column_count()))
    return Fail(OtherShape(statement));
  const StatementContext row_cx(*statement_cx);
  statement.statement_cx = &*statement_cx;
  statement.cx = &*row_cx;
  std::span<NullableDatum> row =
      (*statement_cx).NewArray<NullableDatum>(statement.target->table.column_count());
  std::size_t stored = 0;
  while (next(row, *statement.cx)) {
    RELCACHE_ASSIGN(const bool is_stored, InsertRow(statement, row));
    stored += is_stored ? 1 : 0;
    statement.cx->Reset();
  }
  return stored;
}

}  // namespace relcache
