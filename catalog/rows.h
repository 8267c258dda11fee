// Rows of PostgreSQL's system catalogs as plain structs. Each struct is named after its catalog
// (ClassRow is a row of pg_class), and its members have the names of the columns. PostgreSQL
// documents every column in the chapter "System Catalogs"; the comments here explain codes, and
// what differs. docs/catalog_columns.md says what relcache makes of each column.
//
// For all structs:
//  - A row owns nothing. Its strings and arrays lie in the memory context that it was delivered
//    into.
//  - SQL's NULL is an empty view or span, or 0 for an oid. The columns that can be NULL cannot
//    contain an empty text or array with a meaning of its own, so nothing is lost.
//  - Columns of PostgreSQL's type "char" hold a one-character code and are char here; '\0' is the
//    zero byte that PostgreSQL uses for "none".
//  - Some columns are left out: those that repeat the oid of the relation to which a row belongs
//    (attrelid, adrelid, tgrelid, ev_class, polrelid, partrelid, stxrelid), and those that say how
//    and where data is stored (relfilenode, relpages, relfrozenxid ...), who may use an object
//    (relacl) and what it costs (procost).
//  - Node trees (conbin, adbin ...) are in the text form of the type pg_node_tree, as the server
//    printed them. ServerInfo says which version of PostgreSQL that is.
//  - nspname, amname and the relname of an index come from pg_namespace, pg_am and pg_class.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/base/oid.h"

namespace relcache {

/// A schema.
struct NamespaceRow {
  Oid oid = kInvalidOid;
  std::string_view nspname;
};

/// A relation: a table, index, view, sequence or composite type.
struct ClassRow {
  Oid oid = kInvalidOid;
  std::string_view relname;
  Oid relnamespace = kInvalidOid;
  Oid reltype = kInvalidOid;
  Oid reloftype = kInvalidOid;
  Oid relowner = kInvalidOid;
  Oid relam = kInvalidOid;
  Oid reltablespace = kInvalidOid;
  bool relhasindex = false;
  bool relisshared = false;
  /// 'p' permanent, 'u' unlogged (emptied after a crash of the server), 't' temporary (dropped at
  /// the end of the session).
  char relpersistence = 'p';
  /// The kind of relation: 'r' table, 'p' partitioned table, 'i' index, 'I' index of a partitioned
  /// table, 'v' view, 'm' materialized view, 'f' foreign table (its rows are in another server),
  /// 'S' sequence, 'c' composite type, 't' TOAST table (storage for long values).
  char relkind = 'r';
  std::int16_t relnatts = 0;
  /// The number of CHECK constraints that PostgreSQL enforces. -1 means that the source does not
  /// know, and that all of them are enforced.
  std::int16_t relchecks = -1;
  bool relhasrules = false;
  bool relhastriggers = false;
  bool relhassubclass = false;
  bool relrowsecurity = false;
  bool relforcerowsecurity = false;
  bool relispopulated = true;
  /// Which columns identify a row in logical replication (the sending of changed rows to another
  /// server): 'd' those of the primary key, 'n' none, 'f' all, 'i' those of an index.
  char relreplident = 'd';
  bool relispartition = false;
  std::span<const std::string_view> reloptions;
  /// The bound of a partition, a node tree.
  std::string_view relpartbound;
};

/// A user column. Dropped columns are delivered too, because attnum is the position in the row.
struct AttributeRow {
  std::string_view attname;
  Oid atttypid = kInvalidOid;
  /// The next members up to attstorage repeat the type's columns (see TypeRow).
  std::int16_t attlen = 0;
  AttrNumber attnum = 0;
  std::int32_t attndims = 0;
  /// The type modifier, such as the length of varchar(10); -1 means none.
  std::int32_t atttypmod = -1;
  bool attbyval = false;
  char attalign = 'i';
  char attstorage = 'p';
  char attcompression = '\0';
  bool attnotnull = false;
  bool atthasdef = false;
  /// Rows older than the column have the value attmissingval.
  bool atthasmissing = false;
  /// An identity column takes its values from a sequence: 'a' GENERATED ALWAYS AS IDENTITY, 'd' BY
  /// DEFAULT, '\0' not an identity column.
  char attidentity = '\0';
  /// 's' stored generated column, 'v' virtual (computed when read, PostgreSQL 18), '\0' not
  /// generated.
  char attgenerated = '\0';
  bool attisdropped = false;
  /// The column was defined for this relation itself, whether or not it is inherited as well.
  bool attislocal = true;
  std::int32_t attinhcount = 0;
  Oid attcollation = kInvalidOid;
  std::span<const std::string_view> attoptions;
  /// The value in the text form of an array, "{7}".
  std::string_view attmissingval;
};

/// A constraint of a relation, or of a domain if contypid is set. From PostgreSQL 18 on, NOT NULL
/// constraints have rows too.
struct ConstraintRow {
  Oid oid = kInvalidOid;
  std::string_view conname;
  Oid connamespace = kInvalidOid;
  /// 'c' CHECK, 'n' NOT NULL, 'f' FOREIGN KEY, 'p' PRIMARY KEY, 'u' UNIQUE, 'x' EXCLUDE, 't'
  /// constraint trigger.
  char contype = '\0';
  bool condeferrable = false;
  bool condeferred = false;
  /// PostgreSQL 18.
  bool conenforced = true;
  bool convalidated = true;
  Oid conrelid = kInvalidOid;
  Oid contypid = kInvalidOid;
  Oid conindid = kInvalidOid;
  Oid conparentid = kInvalidOid;
  Oid confrelid = kInvalidOid;
  char confupdtype = ' ';
  char confdeltype = ' ';
  char confmatchtype = ' ';
  bool conislocal = true;
  std::int32_t coninhcount = 0;
  /// NO INHERIT: children do not have the constraint.
  bool connoinherit = false;
  /// PostgreSQL 18.
  bool conperiod = false;
  /// The columns that the constraint concerns and, for a foreign key, the columns that it
  /// references.
  std::span<const AttrNumber> conkey;
  std::span<const AttrNumber> confkey;
  std::span<const Oid> conpfeqop;
  std::span<const Oid> conppeqop;
  std::span<const Oid> conffeqop;
  std::span<const AttrNumber> confdelsetcols;
  std::span<const Oid> conexclop;
  /// The expression of a CHECK constraint, a node tree.
  std::string_view conbin;
};

/// The DEFAULT of a column, or the expression of a generated column.
struct AttrdefRow {
  Oid oid = kInvalidOid;
  AttrNumber adnum = 0;
  /// The expression, a node tree.
  std::string_view adbin;
};

/// An index.
struct IndexRow {
  Oid indexrelid = kInvalidOid;
  Oid indrelid = kInvalidOid;
  /// The name of the index, pg_class.relname of indexrelid.
  std::string_view relname;
  /// The access method, which is the kind of index: "btree", "hash" and so on.
  std::string_view amname;
  std::int16_t indnatts = 0;
  std::int16_t indnkeyatts = 0;
  bool indisunique = false;
  bool indnullsnotdistinct = false;
  bool indisprimary = false;
  bool indisexclusion = false;
  bool indimmediate = true;
  bool indisclustered = false;
  bool indisvalid = true;
  bool indcheckxmin = false;
  bool indisready = true;
  bool indislive = true;
  bool indisreplident = false;
  /// 0 stands for the next expression of indexprs.
  std::span<const AttrNumber> indkey;
  std::span<const Oid> indcollation;
  /// The operator class of each key column: the functions that compare or hash its values.
  std::span<const Oid> indclass;
  /// Per key column, bit 1: descending, bit 2: NULLs first.
  std::span<const std::int16_t> indoption;
  /// Node trees: the list of key expressions, and the WHERE of a partial index.
  std::string_view indexprs;
  std::string_view indpred;
};

/// A trigger: a function that runs before or after a change of a row.
struct TriggerRow {
  Oid oid = kInvalidOid;
  Oid tgparentid = kInvalidOid;
  std::string_view tgname;
  Oid tgfoid = kInvalidOid;
  /// Bits: 1 for each row, 2 BEFORE, 4 INSERT, 8 DELETE, 16 UPDATE, 32 TRUNCATE, 64 INSTEAD OF.
  std::int16_t tgtype = 0;
  /// When it fires: 'O' in sessions that are not replication workers, 'R' in replication workers
  /// only, 'A' always, 'D' never.
  char tgenabled = 'O';
  bool tgisinternal = false;
  Oid tgconstrrelid = kInvalidOid;
  Oid tgconstrindid = kInvalidOid;
  Oid tgconstraint = kInvalidOid;
  bool tgdeferrable = false;
  bool tginitdeferred = false;
  std::span<const AttrNumber> tgattr;
  /// The arguments. PostgreSQL stores them in one bytea, which has been split.
  std::span<const std::string_view> tgargs;
  /// The WHEN condition, a node tree.
  std::string_view tgqual;
  std::string_view tgoldtable;
  std::string_view tgnewtable;
};

/// A rule, which rewrites statements on a relation. A view is a relation with a rule for SELECT.
struct RewriteRow {
  Oid oid = kInvalidOid;
  std::string_view rulename;
  /// The statement that it rewrites: '1' SELECT, '2' UPDATE, '3' INSERT, '4' DELETE.
  char ev_type = '1';
  /// As tgenabled.
  char ev_enabled = 'O';
  bool is_instead = false;
  /// Node trees: the condition, and the list of queries to execute instead or in addition.
  std::string_view ev_qual;
  std::string_view ev_action;
};

/// A policy of row-level security: which rows a role may read or write.
struct PolicyRow {
  Oid oid = kInvalidOid;
  std::string_view polname;
  /// The statements that it applies to: 'r' SELECT, 'a' INSERT, 'w' UPDATE, 'd' DELETE, '*' all.
  char polcmd = '*';
  bool polpermissive = true;
  std::span<const Oid> polroles;
  /// Node trees: USING, which selects the rows, and WITH CHECK, which new rows must satisfy.
  std::string_view polqual;
  std::string_view polwithcheck;
};

/// How a partitioned table divides its rows.
struct PartitionedTableRow {
  /// 'l' LIST, 'r' RANGE, 'h' HASH.
  char partstrat = 'r';
  std::int16_t partnatts = 0;
  /// The partition for rows that fit into no other one, or 0.
  Oid partdefid = kInvalidOid;
  /// 0 stands for the next expression of partexprs.
  std::span<const AttrNumber> partattrs;
  std::span<const Oid> partclass;
  std::span<const Oid> partcollation;
  /// The list of key expressions, a node tree.
  std::string_view partexprs;
};

/// The relationship between a child, which may be a partition, and its parent.
struct InheritsRow {
  Oid inhrelid = kInvalidOid;
  Oid inhparent = kInvalidOid;
  std::int32_t inhseqno = 1;
  bool inhdetachpending = false;
};

/// Extended statistics: an instruction to gather statistics about several columns together.
struct StatisticExtRow {
  Oid oid = kInvalidOid;
  std::string_view stxname;
  Oid stxnamespace = kInvalidOid;
  std::span<const AttrNumber> stxkeys;
  std::span<const char> stxkind;
  std::string_view stxexprs;
};

/// A relation with the rows of all catalogs that describe it, as of one moment.
struct RelationRows {
  /// A number for this state of the relation. A later state in the same source has a larger one,
  /// and two loads with the same number delivered the same rows.
  std::uint64_t version = 0;
  ClassRow pg_class;
  std::string_view nspname;
  /// Ordered by attnum, which runs from 1 to relnatts without a gap.
  std::span<const AttributeRow> attributes;
  /// Constraints of all kinds, ordered by name, which is the order in which PostgreSQL evaluates
  /// CHECK constraints.
  std::span<const ConstraintRow> constraints;
  /// Ordered by adnum.
  std::span<const AttrdefRow> attrdefs;
  /// The indexes of a table, ordered by oid; for an index, its own row.
  std::span<const IndexRow> indexes;
  /// Ordered by name, which is the order in which PostgreSQL fires triggers. Triggers that
  /// implement constraints (tgisinternal) are included.
  std::span<const TriggerRow> triggers;
  /// Ordered by name.
  std::span<const RewriteRow> rules;
  /// Ordered by name.
  std::span<const PolicyRow> policies;
  /// nullptr unless the relation is a partitioned table.
  const PartitionedTableRow* partitioned_table = nullptr;
  /// The rows in which this relation is the child, ordered by inhseqno, and those in which it is
  /// the parent, ordered by inhrelid.
  std::span<const InheritsRow> parents;
  std::span<const InheritsRow> children;
  /// Ordered by oid.
  std::span<const StatisticExtRow> statistics;
};

/// A type.
struct TypeRow {
  Oid oid = kInvalidOid;
  std::string_view typname;
  Oid typnamespace = kInvalidOid;
  Oid typowner = kInvalidOid;
  std::int16_t typlen = 0;
  bool typbyval = false;
  /// 'b' base type, 'c' composite, 'd' domain, 'e' enum, 'm' multirange, 'p' pseudo-type, 'r'
  /// range.
  char typtype = 'b';
  char typcategory = 'U';
  bool typispreferred = false;
  bool typisdefined = true;
  char typdelim = ',';
  Oid typrelid = kInvalidOid;
  Oid typelem = kInvalidOid;
  Oid typarray = kInvalidOid;
  Oid typinput = kInvalidOid;
  Oid typoutput = kInvalidOid;
  Oid typmodin = kInvalidOid;
  Oid typmodout = kInvalidOid;
  char typalign = 'i';
  char typstorage = 'p';
  bool typnotnull = false;
  /// For a domain, the type that it is made from.
  Oid typbasetype = kInvalidOid;
  std::int32_t typtypmod = -1;
  std::int32_t typndims = 0;
  Oid typcollation = kInvalidOid;
  std::string_view typdefaultbin;
  std::string_view typdefault;
};

/// A label of an enum type.
struct EnumRow {
  Oid oid = kInvalidOid;
  float enumsortorder = 0;
  std::string_view enumlabel;
};

/// The element type of a range type and the functions for it.
struct RangeRow {
  Oid rngsubtype = kInvalidOid;
  Oid rngmultitypid = kInvalidOid;
  Oid rngcollation = kInvalidOid;
  Oid rngsubopc = kInvalidOid;
  Oid rngcanonical = kInvalidOid;
  Oid rngsubdiff = kInvalidOid;
};

/// A type with everything that belongs to it: the constraints of a domain, the labels of an enum,
/// the pg_range row of a range. The columns of a composite type are those of the relation typrelid.
struct TypeRows {
  TypeRow pg_type;
  std::string_view nspname;
  /// Ordered by name.
  std::span<const ConstraintRow> constraints;
  /// Ordered by enumsortorder.
  std::span<const EnumRow> enums;
  const RangeRow* range = nullptr;
};

/// A function or procedure.
struct ProcRow {
  Oid oid = kInvalidOid;
  std::string_view proname;
  Oid pronamespace = kInvalidOid;
  std::string_view nspname;
  Oid proowner = kInvalidOid;
  /// The language: 12 is "internal" (compiled into the server), 13 C, 14 SQL; other languages have
  /// other oids.
  Oid prolang = kInvalidOid;
  /// The element type of a VARIADIC parameter, or 0.
  Oid provariadic = kInvalidOid;
  /// 'f' function, 'p' procedure, 'a' aggregate, 'w' window function.
  char prokind = 'f';
  bool prosecdef = false;
  bool proleakproof = false;
  /// Strict: the function yields NULL, without being called, when an argument is NULL.
  bool proisstrict = false;
  /// The function returns a set of rows.
  bool proretset = false;
  /// 'i' immutable: the result depends on the arguments only; 's' stable: also on the state of the
  /// database, within a statement; 'v' volatile: it can differ for each call.
  char provolatile = 'v';
  char proparallel = 'u';
  std::int16_t pronargs = 0;
  std::int16_t pronargdefaults = 0;
  Oid prorettype = kInvalidOid;
  std::span<const Oid> proargtypes;
  std::span<const Oid> proallargtypes;
  std::span<const char> proargmodes;
  std::span<const std::string_view> proargnames;
  std::string_view proargdefaults;
  std::string_view prosrc;
  /// The body of an SQL function that was written in SQL-standard form, a node tree.
  std::string_view prosqlbody;
};

/// An operator. oprcode is the function that computes it.
struct OperatorRow {
  Oid oid = kInvalidOid;
  std::string_view oprname;
  Oid oprnamespace = kInvalidOid;
  std::string_view nspname;
  /// 'b' infix, 'l' prefix, 'r' postfix (up to PostgreSQL 13).
  char oprkind = 'b';
  bool oprcanmerge = false;
  bool oprcanhash = false;
  Oid oprleft = kInvalidOid;
  Oid oprright = kInvalidOid;
  Oid oprresult = kInvalidOid;
  /// The operators that give the same with exchanged operands, and the opposite result.
  Oid oprcom = kInvalidOid;
  Oid oprnegate = kInvalidOid;
  Oid oprcode = kInvalidOid;
};

/// A collation: the rules by which texts are ordered and by which letters change their case.
struct CollationRow {
  Oid oid = kInvalidOid;
  std::string_view collname;
  Oid collnamespace = kInvalidOid;
  std::string_view nspname;
  /// The library that implements it: 'd' that of the database's default collation, 'c' the C
  /// library, 'i' ICU, 'b' PostgreSQL itself (from version 17 on).
  char collprovider = 'c';
  bool collisdeterministic = true;
  /// The encoding that it is for, or -1 for all encodings.
  std::int32_t collencoding = -1;
  std::string_view collcollate;
  std::string_view collctype;
  /// The column is called colliculocale up to PostgreSQL 16.
  std::string_view colllocale;
  std::string_view collicurules;
  std::string_view collversion;
};

/// A support function of an operator class, for two values of the class's input type.
struct AmprocRow {
  std::int16_t amprocnum = 0;
  Oid amproc = kInvalidOid;
};

/// An operator class: the functions by which an index or a partition key compares or hashes the
/// values of one type.
struct OpclassRow {
  Oid oid = kInvalidOid;
  std::string_view opcname;
  Oid opcnamespace = kInvalidOid;
  std::string_view nspname;
  std::string_view amname;
  Oid opcfamily = kInvalidOid;
  Oid opcintype = kInvalidOid;
  bool opcdefault = false;
  Oid opckeytype = kInvalidOid;
  /// Ordered by amprocnum. For btree, 1 is the comparison; for hash, 1 is the hash function and 2
  /// the one that takes a seed.
  std::span<const AmprocRow> amprocs;
};

}  // namespace relcache
