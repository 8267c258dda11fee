// INSERT into tables in memory, statement by statement, with BEFORE ROW triggers: what the
// trigger-routed insert is made of (nodeModifyTable.c, trigger.c).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/executor/constraints.h"
#include "relcache/executor/heap_table.h"

namespace relcache {

class InsertSession;

/// What a row trigger is given, and may change.
struct TriggerContext {
  /// For statements of the trigger's own.
  InsertSession& session;
  /// The table whose trigger it is.
  const RelationDescriptor& relation;
  /// The row that is to be inserted: NEW. Values that a trigger puts in must live as long as `cx`.
  std::span<NullableDatum> row;
  /// The statement's context.
  MemoryContext& cx;
};

enum class TriggerAction : std::uint8_t {
  kInsert,  ///< RETURN NEW
  kSkip,    ///< RETURN NULL: this row is not inserted, which is no error
};

/// A BEFORE INSERT FOR EACH ROW trigger. It must not throw.
using RowTrigger = std::function<Result<TriggerAction>(TriggerContext&)>;

/// Inserts rows of one client: the tables' rows and triggers, the scratch for evaluation, and the
/// context that statements are children of. A statement opens its relation through the cache, has a
/// context of its own and frees it at its end, as a server's statement does.
/// It stores into ordinary tables, as their owner would; partitioned and foreign tables,
/// partitions, views, and tables with rules for INSERT are refused. Triggers are those that it was
/// given, not those that the catalog names. Lifetime: the cache must outlive it. Thread
/// safety: one thread at a time.
class InsertSession {
 public:
  InsertSession(RelationCache& cache, SessionSettings settings);
  InsertSession(const InsertSession&) = delete;
  InsertSession& operator=(const InsertSession&) = delete;
  ~InsertSession();

  /// Makes the table for a relation, if it is not there, with the columns it has now.
  Result<HeapTable*> Table(Oid relation);
  /// A trigger fires in the order of the names (bytewise). A second one of a name takes its place.
  void AddTrigger(Oid relation, std::string name, RowTrigger trigger);

  /// What expressions depend on from now on: a new transaction's `now`.
  void set_settings(SessionSettings settings) { scratch_.set_settings(std::move(settings)); }
  /// How statements come to the constraints' expressions from now on.
  void set_expressions(Expressions expressions) { expressions_ = expressions; }
  Expressions expressions() const { return expressions_; }
  /// Where the time goes is added to `times` from now on; nullptr: nowhere.
  void set_times(StageTimes* times) { times_ = times; }

  /// A statement: INSERT of one row into a relation. Triggers first, then constraints, then it is
  /// stored. Gives the number of rows stored: 0 if a trigger took it away.
  /// Errors: of opening, of a trigger, of the constraints; then nothing is stored by this statement
  /// (but by those that triggers completed).
  Result<std::size_t> Insert(Oid relation, RowView row);

  /// A statement that inserts many rows, as INSERT ... SELECT: it opens the relation and prepares
  /// its constraints once. `next` fills the row, or gives false at the end; what it makes in the
  /// context is freed after each row. Errors: as Insert; the rows before the one that failed stay
  /// in the table.
  Result<std::size_t> InsertAll(
      Oid relation,
      const std::function<bool(std::span<NullableDatum> row, MemoryContext& cx)>& next);

 private:
  struct Statement;
  struct Target;

  Result<Target*> TargetOf(Oid relation);
  static bool HasShape(const Statement& statement, std::size_t columns);
  [[gnu::cold]] static Error OtherShape(const Statement& statement);
  Result<bool> InsertRow(Statement& statement, std::span<NullableDatum> row);

  RelationCache& cache_;
  Expressions expressions_ = Expressions::kCompiled;
  StageTimes* times_ = nullptr;
  ContextPtr cx_;
  Scratch scratch_;
  std::unordered_map<Oid, std::unique_ptr<Target>> targets_;
  /// Statements within statements.
  int depth_ = 0;
};

}  // namespace relcache
