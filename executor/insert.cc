#include "relcache/executor/insert.h"

#include <algorithm>
#include <utility>

namespace relcache {

namespace {
/// Triggers whose statements fire triggers: PostgreSQL stops at the end of its stack.
constexpr int kMaxDepth = 100;

/// What the server would not simply store is refused: only ordinary tables are in memory.
Status CanStore(const RelationDescriptor& relation) {
  const std::string name = ": \"" + std::string(relation.name()) + "\"";
  auto refuse = [&](std::string_view what) {
    return Fail(NotSupported("INSERT into " + std::string(what) + name));
  };
  const ClassRow& row = relation.pg_class();
  switch (row.relkind) {
    case 'r':
      break;
    case 'p':
      return refuse("a partitioned table");
    case 'f':
      return refuse("a foreign table");
    case 'v':
      return refuse("a view");
    case 'm':
      return refuse("a materialized view");
    case 'S':
      return refuse("a sequence");
    default:
      return refuse("a relation of relkind " + std::string(1, row.relkind));
  }
  if (row.relispartition) return refuse("a partition, whose bound is not verified");
  if (row.relrowsecurity && row.relforcerowsecurity)
    return refuse("a table whose owner too is under row security");
  constexpr char kInsertEvent = '3';
  for (const RuleDescriptor& rule : relation.rules())
    if (rule.row().ev_type == kInsertEvent && rule.row().ev_enabled != 'D')
      return refuse("a table with rule " + std::string(rule.name()));
  return {};
}

}  // namespace

/// A table with its triggers.
struct InsertSession::Target {
  explicit Target(std::span<const AttributeRow> attributes) : table(attributes) {}
  HeapTable table;
  std::vector<std::pair<std::string, RowTrigger>> triggers;
};

/// What a statement holds while it runs.
struct InsertSession::Statement {
  RelationPin relation;
  Target* target = nullptr;
  /// The constraints, once a row has come to them; nullptr if they are not verified.
  const RowChecks* checks = nullptr;
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
  auto& triggers = (*target)->triggers;
  const auto at = std::lower_bound(triggers.begin(), triggers.end(), name,
                                   [](const auto& a, const std::string& b) { return a.first < b; });
  if (at != triggers.end() && at->first == name) {
    at->second = std::move(trigger);
  } else {
    triggers.emplace(at, std::move(name), std::move(trigger));
  }
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

Result<bool> InsertSession::InsertRow(Statement& statement, std::span<NullableDatum> row) {
  for (const auto& [name, trigger] : statement.target->triggers) {
    TriggerContext context{*this, *statement.relation, row, *statement.cx};
    RELCACHE_ASSIGN(const TriggerAction action, trigger(context));
    if (action == TriggerAction::kSkip) return false;
  }
  // Prepared for the first row that comes here, as ExecConstraints does it: a row that a trigger
  // took away needs none.
  if (!statement.prepared) {
    RELCACHE_ASSIGN(statement.checks,
                    PrepareChecks(*statement.relation, expressions_, cache_.source(),
                                  *statement.statement_cx, times_));
    statement.prepared = true;
  }
  if (statement.checks != nullptr) {
    scratch_.set_cx(*statement.cx);
    const std::uint64_t begin = times_ != nullptr ? times_->Read() : 0;
    if (!RowPasses(*statement.checks, row, scratch_)) [[unlikely]]
      return Fail(WhyRowFails(*statement.checks, row, scratch_, {}));
    if (times_ != nullptr) times_->evaluate += times_->Read() - begin;
  }
  statement.target->table.Append(row);
  return true;
}

Result<std::size_t> InsertSession::Insert(Oid relation, RowView row) {
  if (depth_ >= kMaxDepth) return Fail(ErrorCode::kLimit, "54001", "stack depth limit exceeded");
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
  } const deeper(depth_);

  const StatementContext cx(*cx_);
  Statement statement;
  statement.statement_cx = statement.cx = &*cx;
  RELCACHE_ASSIGN(statement.relation, cache_.Open(relation));
  RELCACHE_TRY(CanStore(*statement.relation));
  RELCACHE_ASSIGN(statement.target, TargetOf(relation));
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
  RELCACHE_ASSIGN(statement.relation, cache_.Open(relation));
  RELCACHE_TRY(CanStore(*statement.relation));
  RELCACHE_ASSIGN(statement.target, TargetOf(relation));
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
