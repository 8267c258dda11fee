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
#include "relcache/simulate/check_modes.h"
#include "relcache/simulate/heap_table.h"

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
///
/// It stores into ordinary tables what a server stores there, and refuses by name what it does not
/// do: partitioned and foreign tables, partitions (whose bound it does not verify), views; tables
/// with row security, with rules for INSERT, with unique or exclusion indexes, with foreign keys or
/// other triggers for INSERT that are enabled and are not both BEFORE ... FOR EACH ROW and added by
/// AddTrigger under their name. set_unsupported says otherwise. A trigger that the catalog has
/// fires as the catalog says: not if it is disabled, and only if its WHEN is true. Values are those
/// of their columns' types already: nothing is cast, cut or verified against a domain. Those of
/// stored generated columns are computed, after the triggers, whatever the row has in their place.
///
/// Lifetime: the cache must outlive it. Thread safety: one thread at a time.
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
  /// How statements get at the constraints' expressions from now on.
  void set_check_mode(CheckMode mode) { check_mode_ = mode; }
  CheckMode check_mode() const { return check_mode_; }
  /// Whether statements fail where the server would do what this does not, or leave it undone and
  /// store the row: rules, row security, unique indexes, triggers nobody added, constraints and
  /// generated columns that cannot be computed. Where nothing can be stored, they fail all the
  /// same.
  void set_unsupported(UnsupportedConstraints unsupported);
  /// Where the time goes is added to `times` from now on; nullptr: nowhere.
  void set_times(StageTimes* times) { times_ = times; }

  /// A statement: INSERT of one row into a relation. Triggers first, then generated columns and
  /// constraints, then it is stored. Gives the number of rows stored: 0 if a trigger took it away.
  /// Errors: of opening, of a trigger, of the constraints; 0A000 for what is not supported; what
  /// the server says of relations that take no rows, `cannot change sequence "s"`. Then nothing is
  /// stored by this statement (but by those that triggers completed).
  Result<std::size_t> Insert(Oid relation, DatumRow row);

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
  Status Open(Oid relation, Statement& statement);
  Status Inspect(const RelationDescriptor& relation, Target& target) const;
  static bool HasShape(const Statement& statement, std::size_t columns);
  [[gnu::cold]] static Error OtherShape(const Statement& statement);
  Result<bool> InsertRow(Statement& statement, std::span<NullableDatum> row);
  Result<bool> Fires(const Statement& statement, const TriggerDescriptor& trigger, DatumRow row);
  Status ComputeGenerated(const Statement& statement, std::span<NullableDatum> row);
  Status Verify(Statement& statement, DatumRow row);

  RelationCache& cache_;
  CheckMode check_mode_ = CheckMode::kCompiled;
  UnsupportedConstraints unsupported_ = UnsupportedConstraints::kFail;
  StageTimes* times_ = nullptr;
  ContextPtr cx_;
  Scratch scratch_;
  std::unordered_map<Oid, std::unique_ptr<Target>> targets_;
  /// Statements within statements.
  int depth_ = 0;
};

}  // namespace relcache
