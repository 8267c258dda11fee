// Rows of PostgreSQL's catalogs as plain structs with PostgreSQL's column names.
//
// What a reader of a row must know:
//  - A row owns nothing. Its strings and arrays live in the context that it was delivered into.
//  - SQL's NULL in a nullable column is an empty view or span, or 0 for an oid: none of these
//  columns
//    can hold an empty text or array that means something else.
//  - "char" columns are char; the zero byte that PostgreSQL uses for "no" is '\0'.
//  - Columns that only repeat the oid of the relation a row is delivered with (attrelid, adrelid,
//    tgrelid, ev_class, polrelid, partrelid, stxrelid) are left out, and so is what says where and
//    how data is stored (relfilenode, relpages, relfrozenxid ...), who may see it (relacl) and how
//    it is planned (procost).
//  - Node trees stand as pg_node_tree text, as the server printed them. ServerInfo says which
//  version.
//  - nspname, amname and an index's relname are joined in from pg_namespace, pg_am and pg_class.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/base/oid.h"

namespace relcache {

struct NamespaceRow {
  Oid oid = kInvalidOid;
  std::string_view nspname;
};

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
  char relpersistence = 'p';
  char relkind = 'r';
  std::int16_t relnatts = 0;
  /// How many of its CHECKs PostgreSQL enforces; -1: the source does not know, and all are.
  std::int16_t relchecks = -1;
  bool relhasrules = false;
  bool relhastriggers = false;
  bool relhassubclass = false;
  bool relrowsecurity = false;
  bool relforcerowsecurity = false;
  bool relispopulated = true;
  char relreplident = 'd';
  bool relispartition = false;
  std::span<const std::string_view> reloptions;
  std::string_view relpartbound;
};

/// A user column. Dropped columns are delivered too: attnum is the place in the row.
struct AttributeRow {
  std::string_view attname;
  Oid atttypid = kInvalidOid;
  std::int16_t attlen = 0;
  AttrNumber attnum = 0;
  std::int32_t attndims = 0;
  std::int32_t atttypmod = -1;
  bool attbyval = false;
  char attalign = 'i';
  char attstorage = 'p';
  char attcompression = '\0';
  bool attnotnull = false;
  bool atthasdef = false;
  bool atthasmissing = false;
  char attidentity = '\0';
  char attgenerated = '\0';
  bool attisdropped = false;
  bool attislocal = true;
  std::int32_t attinhcount = 0;
  Oid attcollation = kInvalidOid;
  std::span<const std::string_view> attoptions;
  /// The array's text, "{7}".
  std::string_view attmissingval;
};

/// A constraint of a relation, or of a domain (contypid). From PostgreSQL 18 on NOT NULL has rows
/// too (contype 'n').
struct ConstraintRow {
  Oid oid = kInvalidOid;
  std::string_view conname;
  Oid connamespace = kInvalidOid;
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
  bool connoinherit = false;
  /// PostgreSQL 18.
  bool conperiod = false;
  std::span<const AttrNumber> conkey;
  std::span<const AttrNumber> confkey;
  std::span<const Oid> conpfeqop;
  std::span<const Oid> conppeqop;
  std::span<const Oid> conffeqop;
  std::span<const AttrNumber> confdelsetcols;
  std::span<const Oid> conexclop;
  std::string_view conbin;
};

struct AttrdefRow {
  Oid oid = kInvalidOid;
  AttrNumber adnum = 0;
  std::string_view adbin;
};

struct IndexRow {
  Oid indexrelid = kInvalidOid;
  Oid indrelid = kInvalidOid;
  /// The index's own name, pg_class.relname of indexrelid.
  std::string_view relname;
  /// Its access method: "btree", "hash" ...
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
  std::span<const Oid> indclass;
  std::span<const std::int16_t> indoption;
  std::string_view indexprs;
  std::string_view indpred;
};

struct TriggerRow {
  Oid oid = kInvalidOid;
  Oid tgparentid = kInvalidOid;
  std::string_view tgname;
  Oid tgfoid = kInvalidOid;
  /// Bits: 1 row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate, 64 instead.
  std::int16_t tgtype = 0;
  char tgenabled = 'O';
  bool tgisinternal = false;
  Oid tgconstrrelid = kInvalidOid;
  Oid tgconstrindid = kInvalidOid;
  Oid tgconstraint = kInvalidOid;
  bool tgdeferrable = false;
  bool tginitdeferred = false;
  std::span<const AttrNumber> tgattr;
  /// PostgreSQL's tgargs bytea taken apart: tgnargs strings.
  std::span<const std::string_view> tgargs;
  std::string_view tgqual;
  std::string_view tgoldtable;
  std::string_view tgnewtable;
};

struct RewriteRow {
  Oid oid = kInvalidOid;
  std::string_view rulename;
  char ev_type = '1';
  char ev_enabled = 'O';
  bool is_instead = false;
  std::string_view ev_qual;
  std::string_view ev_action;
};

struct PolicyRow {
  Oid oid = kInvalidOid;
  std::string_view polname;
  char polcmd = '*';
  bool polpermissive = true;
  std::span<const Oid> polroles;
  std::string_view polqual;
  std::string_view polwithcheck;
};

struct PartitionedTableRow {
  char partstrat = 'r';
  std::int16_t partnatts = 0;
  /// The default partition, or 0.
  Oid partdefid = kInvalidOid;
  /// 0 stands for the next expression of partexprs.
  std::span<const AttrNumber> partattrs;
  std::span<const Oid> partclass;
  std::span<const Oid> partcollation;
  std::string_view partexprs;
};

struct InheritsRow {
  Oid inhrelid = kInvalidOid;
  Oid inhparent = kInvalidOid;
  std::int32_t inhseqno = 1;
  bool inhdetachpending = false;
};

struct StatisticExtRow {
  Oid oid = kInvalidOid;
  std::string_view stxname;
  Oid stxnamespace = kInvalidOid;
  std::span<const AttrNumber> stxkeys;
  std::span<const char> stxkind;
  std::string_view stxexprs;
};

/// A relation whole, as of one moment.
struct RelationRows {
  /// Which state of the relation this is. A later state of the same source has a larger stamp; two
  /// loads with the same stamp delivered the same rows.
  std::uint64_t version = 0;
  ClassRow pg_class;
  std::string_view nspname;
  /// By attnum, 1 to relnatts without a gap.
  std::span<const AttributeRow> attributes;
  /// Of every contype, by name (the order in which PostgreSQL evaluates CHECKs).
  std::span<const ConstraintRow> constraints;
  /// By adnum.
  std::span<const AttrdefRow> attrdefs;
  /// Of a table: its indexes by oid. Of an index: its own row.
  std::span<const IndexRow> indexes;
  /// By name (the order in which PostgreSQL fires them), internal ones included.
  std::span<const TriggerRow> triggers;
  /// By name.
  std::span<const RewriteRow> rules;
  /// By name.
  std::span<const PolicyRow> policies;
  /// nullptr unless relkind is 'p'.
  const PartitionedTableRow* partitioned_table = nullptr;
  /// Where this relation is the child, by inhseqno; where it is the parent, by inhrelid.
  std::span<const InheritsRow> parents;
  std::span<const InheritsRow> children;
  /// Extended statistics, by oid.
  std::span<const StatisticExtRow> statistics;
};

struct TypeRow {
  Oid oid = kInvalidOid;
  std::string_view typname;
  Oid typnamespace = kInvalidOid;
  Oid typowner = kInvalidOid;
  std::int16_t typlen = 0;
  bool typbyval = false;
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
  Oid typbasetype = kInvalidOid;
  std::int32_t typtypmod = -1;
  std::int32_t typndims = 0;
  Oid typcollation = kInvalidOid;
  std::string_view typdefaultbin;
  std::string_view typdefault;
};

struct EnumRow {
  Oid oid = kInvalidOid;
  float enumsortorder = 0;
  std::string_view enumlabel;
};

struct RangeRow {
  Oid rngsubtype = kInvalidOid;
  Oid rngmultitypid = kInvalidOid;
  Oid rngcollation = kInvalidOid;
  Oid rngsubopc = kInvalidOid;
  Oid rngcanonical = kInvalidOid;
  Oid rngsubdiff = kInvalidOid;
};

/// A type whole: of a domain with its constraints, of an enum with its labels, of a range with its
/// pg_range row. A composite type's columns are those of relation typrelid.
struct TypeRows {
  TypeRow pg_type;
  std::string_view nspname;
  /// By name.
  std::span<const ConstraintRow> constraints;
  /// By enumsortorder.
  std::span<const EnumRow> enums;
  const RangeRow* range = nullptr;
};

struct ProcRow {
  Oid oid = kInvalidOid;
  std::string_view proname;
  Oid pronamespace = kInvalidOid;
  std::string_view nspname;
  Oid proowner = kInvalidOid;
  /// 12 internal, 13 c, 14 sql; others by oid.
  Oid prolang = kInvalidOid;
  Oid provariadic = kInvalidOid;
  char prokind = 'f';
  bool prosecdef = false;
  bool proleakproof = false;
  bool proisstrict = false;
  bool proretset = false;
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
  std::string_view prosqlbody;
};

struct OperatorRow {
  Oid oid = kInvalidOid;
  std::string_view oprname;
  Oid oprnamespace = kInvalidOid;
  std::string_view nspname;
  /// 'b' infix, 'l' prefix, 'r' postfix (until PostgreSQL 13).
  char oprkind = 'b';
  bool oprcanmerge = false;
  bool oprcanhash = false;
  Oid oprleft = kInvalidOid;
  Oid oprright = kInvalidOid;
  Oid oprresult = kInvalidOid;
  Oid oprcom = kInvalidOid;
  Oid oprnegate = kInvalidOid;
  Oid oprcode = kInvalidOid;
};

struct CollationRow {
  Oid oid = kInvalidOid;
  std::string_view collname;
  Oid collnamespace = kInvalidOid;
  std::string_view nspname;
  /// 'd' the database's, 'c' libc, 'i' icu, 'b' builtin (from PostgreSQL 17 on).
  char collprovider = 'c';
  bool collisdeterministic = true;
  /// -1 for any.
  std::int32_t collencoding = -1;
  std::string_view collcollate;
  std::string_view collctype;
  /// colliculocale until PostgreSQL 16.
  std::string_view colllocale;
  std::string_view collicurules;
  std::string_view collversion;
};

/// A support function of an operator class, for values of its input type on both sides.
struct AmprocRow {
  std::int16_t amprocnum = 0;
  Oid amproc = kInvalidOid;
};

/// What partition keys and indexes compare and hash by.
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
  /// By amprocnum. btree: 1 compares; hash: 1 hashes, 2 hashes with a seed.
  std::span<const AmprocRow> amprocs;
};

}  // namespace relcache
