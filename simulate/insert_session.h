// Simulates INSERT statements into tables in memory, with BEFORE ROW triggers. It contains what a
// trigger-routed insert consists of (PostgreSQL's nodeModifyTable.c, trigger.c).
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

/// The argument of a row trigger.
struct TriggerContext {
  /// For statements that the trigger executes itself.
  InsertSession& session;
  /// The table that the trigger belongs to.
  const RelationDescriptor& relation;
  /// NEW, the row to be inserted, which the trigger may change. Values that it sets must live as
  /// long as `cx`.
  std::span<NullableDatum> row;
  /// The memory context of the statement.
  MemoryContext& cx;
};

enum class TriggerAction : std::uint8_t {
  kInsert,  ///< RETURN NEW
  kSkip,    ///< RETURN NULL: this row is not inserted, which is no error
};

/// The function of a BEFORE INSERT FOR EACH ROW trigger. It must not throw.
using RowTrigger = std::function<Result<TriggerAction>(TriggerContext&)>;

/// Inserts rows for one client. It owns the rows of the tables, the triggers, the scratch for
/// evaluating expressions, and the parent context of all statements. A statement opens its relation
/// through the cache and has a memory context of its own, which is freed at its end, as in a
/// server.
///
/// It stores into ordinary tables what a server would store, and refuses what it does not
/// implement: partitioned and foreign tables; partitions, whose bound it does not verify; views;
/// tables with row-level security, with rules for INSERT, with unique or exclusion indexes, with
/// foreign keys, or with other triggers for INSERT that are enabled, unless they are BEFORE ... FOR
/// EACH ROW and were added with AddTrigger under their name. set_unsupported changes this. A
/// trigger of the catalog fires as the catalog says: not if it is disabled, and only if its WHEN
/// condition is true. Values must have the types of their columns already; they are not converted,
/// cut or verified against a domain. The values of stored generated columns are computed after the
/// triggers and replace those in the row.
///
/// Lifetime: the cache must outlive it.
/// Thread safety: one thread at a time.
class InsertSession {
 public:
  InsertSession(RelationCache& cache, SessionSettings settings);
  InsertSession(const InsertSession&) = delete;
  InsertSession& operator=(const InsertSession&) = delete;
  ~InsertSession();

  /// Returns the table of a relation. Makes it, with the present columns, if it does not exist.
  Result<HeapTable*> Table(Oid relation);
  /// Adds a trigger. Triggers fire in the order of their names (bytewise). A trigger replaces one
  /// of the same name.
  void AddTrigger(Oid relation, std::string name, RowTrigger trigger);

  /// Changes the settings that expressions depend on, such as `now` for a new transaction.
  void set_settings(SessionSettings settings) { scratch_.set_settings(std::move(settings)); }
  /// Changes how statements obtain the expressions of constraints.
  void set_check_mode(CheckMode mode) { check_mode_ = mode; }
  CheckMode check_mode() const { return check_mode_; }
  /// What happens where the server would do something that is not implemented: rules, row-level
  /// security, unique indexes, triggers that were not added, constraints and generated columns that
  /// cannot be computed. Either the statement fails, or this is omitted and the row is stored. If a
  /// row cannot be stored at all, the statement fails in any case.
  void set_unsupported(UnsupportedConstraints unsupported);
  /// Adds the times of the stages to `times` from now on; nullptr ends this.
  void set_times(StageTimes* times) { times_ = times; }

  /// A statement that inserts one row. The triggers fire first, then generated columns are computed
  /// and constraints verified, and the row is stored. Returns the number of rows that were stored,
  /// which is 0 if a trigger skipped the row.
  /// Errors: those of opening, of a trigger and of constraints; SQLSTATE 0A000 for what is not
  /// supported; PostgreSQL's error for relations that do not accept rows, `cannot change sequence
  /// "s"`. After an error this statement has stored nothing, but statements that triggers completed
  /// remain.
  Result<std::size_t> Insert(Oid relation, DatumRow row);

  /// A statement that inserts many rows, like INSERT ... SELECT. It opens the relation and prepares
  /// its constraints once. `next` fills the row or returns false at the end; what it allocates in
  /// the context is freed after each row.
  /// Errors: as Insert; the rows before the one that failed remain in the table.
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
  /// How deeply statements are nested at the moment.
  int depth_ = 0;
};

}  // namespace relcache
