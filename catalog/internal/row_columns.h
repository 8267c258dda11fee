// The columns of every row type, declared once: reading, writing, copying and comparing rows follow
// from these lists. A member that a list forgets is a compile error.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "relcache/base/internal/member_count.h"
#include "relcache/catalog/rows.h"

namespace relcache {

enum class ColumnUse : std::uint8_t {
  kMust,     ///< a snapshot without it is refused
  kMay,      ///< may be absent or null, and is then what the struct's initializer says
  kDerived,  ///< not in a snapshot: follows from other rows
};

/// A member under its name in a snapshot.
template <class Row, class Member>
struct RowColumn {
  std::string_view name;
  Member Row::*member;
  ColumnUse use;
};

/// kColumns: a tuple of RowColumn in the order of the members.
template <class Row>
struct ColumnsOf;

template <class T>
concept CatalogRow = requires {
  ColumnsOf<T>::kColumns;
};

/// Calls f(column) for each column of Row.
template <CatalogRow Row, class F>
constexpr void ForEachColumn(F&& f) {
  std::apply([&](const auto&... column) { (f(column), ...); }, ColumnsOf<Row>::kColumns);
}

namespace internal {

template <class Row, class Member>
constexpr RowColumn<Row, Member> Must(std::string_view name, Member Row::*member) {
  return {name, member, ColumnUse::kMust};
}
template <class Row, class Member>
constexpr RowColumn<Row, Member> May(std::string_view name, Member Row::*member) {
  return {name, member, ColumnUse::kMay};
}
template <class Row, class Member>
constexpr RowColumn<Row, Member> Derived(std::string_view name, Member Row::*member) {
  return {name, member, ColumnUse::kDerived};
}

// Rows lie in memory contexts, which free them without calling a destructor.
template <class Row>
constexpr bool kColumnsComplete =
    MemberCount<Row>() ==
    std::tuple_size_v<decltype(ColumnsOf<Row>::kColumns)>&& std::is_trivially_destructible_v<Row>;

}  // namespace internal

// clang-format off
#define RELCACHE_COLUMNS(Row, ...)                                     \
  template <>                                                          \
  struct ColumnsOf<Row> {                                              \
    static constexpr auto kColumns = [] {                              \
      using R = Row;                                                   \
      using internal::Must, internal::May, internal::Derived;          \
      return std::tuple(__VA_ARGS__);                                  \
    }();                                                               \
  };                                                                   \
  static_assert(internal::kColumnsComplete<Row>, #Row " and its columns differ")

RELCACHE_COLUMNS(NamespaceRow,
    Must("oid", &R::oid), Must("nspname", &R::nspname));

RELCACHE_COLUMNS(ClassRow,
    Must("oid", &R::oid), Must("relname", &R::relname), Must("relnamespace", &R::relnamespace),
    May("reltype", &R::reltype), May("reloftype", &R::reloftype), May("relowner", &R::relowner),
    May("relam", &R::relam), May("reltablespace", &R::reltablespace),
    May("relhasindex", &R::relhasindex), May("relisshared", &R::relisshared),
    May("relpersistence", &R::relpersistence), Must("relkind", &R::relkind),
    Must("relnatts", &R::relnatts), May("relchecks", &R::relchecks),
    May("relhasrules", &R::relhasrules), May("relhastriggers", &R::relhastriggers),
    May("relhassubclass", &R::relhassubclass), May("relrowsecurity", &R::relrowsecurity),
    May("relforcerowsecurity", &R::relforcerowsecurity), May("relispopulated", &R::relispopulated),
    May("relreplident", &R::relreplident), May("relispartition", &R::relispartition),
    May("reloptions", &R::reloptions), May("relpartbound", &R::relpartbound));

RELCACHE_COLUMNS(AttributeRow,
    Must("attname", &R::attname), Must("atttypid", &R::atttypid), Must("attlen", &R::attlen),
    Must("attnum", &R::attnum), May("attndims", &R::attndims), May("atttypmod", &R::atttypmod),
    Must("attbyval", &R::attbyval), Must("attalign", &R::attalign),
    May("attstorage", &R::attstorage), May("attcompression", &R::attcompression),
    May("attnotnull", &R::attnotnull), May("atthasdef", &R::atthasdef),
    May("atthasmissing", &R::atthasmissing), May("attidentity", &R::attidentity),
    May("attgenerated", &R::attgenerated), May("attisdropped", &R::attisdropped),
    May("attislocal", &R::attislocal), May("attinhcount", &R::attinhcount),
    May("attcollation", &R::attcollation), May("attoptions", &R::attoptions),
    May("attmissingval", &R::attmissingval));

RELCACHE_COLUMNS(ConstraintRow,
    Must("oid", &R::oid), Must("conname", &R::conname), May("connamespace", &R::connamespace),
    Must("contype", &R::contype), May("condeferrable", &R::condeferrable),
    May("condeferred", &R::condeferred), May("conenforced", &R::conenforced),
    May("convalidated", &R::convalidated), May("conrelid", &R::conrelid),
    May("contypid", &R::contypid), May("conindid", &R::conindid),
    May("conparentid", &R::conparentid), May("confrelid", &R::confrelid),
    May("confupdtype", &R::confupdtype), May("confdeltype", &R::confdeltype),
    May("confmatchtype", &R::confmatchtype), May("conislocal", &R::conislocal),
    May("coninhcount", &R::coninhcount), May("connoinherit", &R::connoinherit),
    May("conperiod", &R::conperiod), May("conkey", &R::conkey), May("confkey", &R::confkey),
    May("conpfeqop", &R::conpfeqop), May("conppeqop", &R::conppeqop),
    May("conffeqop", &R::conffeqop), May("confdelsetcols", &R::confdelsetcols),
    May("conexclop", &R::conexclop), May("conbin", &R::conbin));

RELCACHE_COLUMNS(AttrdefRow,
    May("oid", &R::oid), Must("adnum", &R::adnum), Must("adbin", &R::adbin));

RELCACHE_COLUMNS(IndexRow,
    Must("indexrelid", &R::indexrelid), Must("indrelid", &R::indrelid),
    Must("relname", &R::relname), Must("amname", &R::amname), Must("indnatts", &R::indnatts),
    Must("indnkeyatts", &R::indnkeyatts), May("indisunique", &R::indisunique),
    May("indnullsnotdistinct", &R::indnullsnotdistinct), May("indisprimary", &R::indisprimary),
    May("indisexclusion", &R::indisexclusion), May("indimmediate", &R::indimmediate),
    May("indisclustered", &R::indisclustered), May("indisvalid", &R::indisvalid),
    May("indcheckxmin", &R::indcheckxmin), May("indisready", &R::indisready),
    May("indislive", &R::indislive), May("indisreplident", &R::indisreplident),
    Must("indkey", &R::indkey), May("indcollation", &R::indcollation),
    Must("indclass", &R::indclass), May("indoption", &R::indoption), May("indexprs", &R::indexprs),
    May("indpred", &R::indpred));

RELCACHE_COLUMNS(TriggerRow,
    Must("oid", &R::oid), May("tgparentid", &R::tgparentid), Must("tgname", &R::tgname),
    Must("tgfoid", &R::tgfoid), Must("tgtype", &R::tgtype), May("tgenabled", &R::tgenabled),
    May("tgisinternal", &R::tgisinternal), May("tgconstrrelid", &R::tgconstrrelid),
    May("tgconstrindid", &R::tgconstrindid), May("tgconstraint", &R::tgconstraint),
    May("tgdeferrable", &R::tgdeferrable), May("tginitdeferred", &R::tginitdeferred),
    May("tgattr", &R::tgattr), May("tgargs", &R::tgargs), May("tgqual", &R::tgqual),
    May("tgoldtable", &R::tgoldtable), May("tgnewtable", &R::tgnewtable));

RELCACHE_COLUMNS(RewriteRow,
    Must("oid", &R::oid), Must("rulename", &R::rulename), Must("ev_type", &R::ev_type),
    May("ev_enabled", &R::ev_enabled), May("is_instead", &R::is_instead),
    May("ev_qual", &R::ev_qual), Must("ev_action", &R::ev_action));

RELCACHE_COLUMNS(PolicyRow,
    Must("oid", &R::oid), Must("polname", &R::polname), Must("polcmd", &R::polcmd),
    May("polpermissive", &R::polpermissive), May("polroles", &R::polroles),
    May("polqual", &R::polqual), May("polwithcheck", &R::polwithcheck));

RELCACHE_COLUMNS(PartitionedTableRow,
    Must("partstrat", &R::partstrat), Must("partnatts", &R::partnatts),
    May("partdefid", &R::partdefid), Must("partattrs", &R::partattrs),
    Must("partclass", &R::partclass), May("partcollation", &R::partcollation),
    May("partexprs", &R::partexprs));

RELCACHE_COLUMNS(InheritsRow,
    Must("inhrelid", &R::inhrelid), Must("inhparent", &R::inhparent), May("inhseqno", &R::inhseqno),
    May("inhdetachpending", &R::inhdetachpending));

RELCACHE_COLUMNS(StatisticExtRow,
    Must("oid", &R::oid), Must("stxname", &R::stxname), May("stxnamespace", &R::stxnamespace),
    May("stxkeys", &R::stxkeys), Must("stxkind", &R::stxkind), May("stxexprs", &R::stxexprs));

RELCACHE_COLUMNS(RelationRows,
    Derived("version", &R::version), Must("pg_class", &R::pg_class), Must("nspname", &R::nspname),
    Must("pg_attribute", &R::attributes), May("pg_constraint", &R::constraints),
    May("pg_attrdef", &R::attrdefs), May("pg_index", &R::indexes), May("pg_trigger", &R::triggers),
    May("pg_rewrite", &R::rules), May("pg_policy", &R::policies),
    May("pg_partitioned_table", &R::partitioned_table), May("pg_inherits", &R::parents),
    Derived("children", &R::children), May("pg_statistic_ext", &R::statistics));

RELCACHE_COLUMNS(TypeRow,
    Must("oid", &R::oid), Must("typname", &R::typname), Must("typnamespace", &R::typnamespace),
    May("typowner", &R::typowner), Must("typlen", &R::typlen), Must("typbyval", &R::typbyval),
    Must("typtype", &R::typtype), May("typcategory", &R::typcategory),
    May("typispreferred", &R::typispreferred), May("typisdefined", &R::typisdefined),
    May("typdelim", &R::typdelim), May("typrelid", &R::typrelid), May("typelem", &R::typelem),
    May("typarray", &R::typarray), May("typinput", &R::typinput), May("typoutput", &R::typoutput),
    May("typmodin", &R::typmodin), May("typmodout", &R::typmodout), Must("typalign", &R::typalign),
    May("typstorage", &R::typstorage), May("typnotnull", &R::typnotnull),
    May("typbasetype", &R::typbasetype), May("typtypmod", &R::typtypmod),
    May("typndims", &R::typndims), May("typcollation", &R::typcollation),
    May("typdefaultbin", &R::typdefaultbin), May("typdefault", &R::typdefault));

RELCACHE_COLUMNS(EnumRow,
    Must("oid", &R::oid), Must("enumsortorder", &R::enumsortorder),
    Must("enumlabel", &R::enumlabel));

RELCACHE_COLUMNS(RangeRow,
    Must("rngsubtype", &R::rngsubtype), May("rngmultitypid", &R::rngmultitypid),
    May("rngcollation", &R::rngcollation), May("rngsubopc", &R::rngsubopc),
    May("rngcanonical", &R::rngcanonical), May("rngsubdiff", &R::rngsubdiff));

RELCACHE_COLUMNS(TypeRows,
    Must("pg_type", &R::pg_type), Must("nspname", &R::nspname),
    May("pg_constraint", &R::constraints), May("pg_enum", &R::enums), May("pg_range", &R::range));

RELCACHE_COLUMNS(ProcRow,
    Must("oid", &R::oid), Must("proname", &R::proname), Must("pronamespace", &R::pronamespace),
    Must("nspname", &R::nspname), May("proowner", &R::proowner), May("prolang", &R::prolang),
    May("provariadic", &R::provariadic), May("prokind", &R::prokind),
    May("prosecdef", &R::prosecdef), May("proleakproof", &R::proleakproof),
    Must("proisstrict", &R::proisstrict), May("proretset", &R::proretset),
    Must("provolatile", &R::provolatile), May("proparallel", &R::proparallel),
    May("pronargs", &R::pronargs), May("pronargdefaults", &R::pronargdefaults),
    Must("prorettype", &R::prorettype), Must("proargtypes", &R::proargtypes),
    May("proallargtypes", &R::proallargtypes), May("proargmodes", &R::proargmodes),
    May("proargnames", &R::proargnames), May("proargdefaults", &R::proargdefaults),
    May("prosrc", &R::prosrc), May("prosqlbody", &R::prosqlbody));

RELCACHE_COLUMNS(OperatorRow,
    Must("oid", &R::oid), Must("oprname", &R::oprname), Must("oprnamespace", &R::oprnamespace),
    Must("nspname", &R::nspname), May("oprkind", &R::oprkind), May("oprcanmerge", &R::oprcanmerge),
    May("oprcanhash", &R::oprcanhash), Must("oprleft", &R::oprleft), Must("oprright", &R::oprright),
    Must("oprresult", &R::oprresult), May("oprcom", &R::oprcom), May("oprnegate", &R::oprnegate),
    Must("oprcode", &R::oprcode));

RELCACHE_COLUMNS(CollationRow,
    Must("oid", &R::oid), Must("collname", &R::collname), Must("collnamespace", &R::collnamespace),
    Must("nspname", &R::nspname), Must("collprovider", &R::collprovider),
    Must("collisdeterministic", &R::collisdeterministic), May("collencoding", &R::collencoding),
    May("collcollate", &R::collcollate), May("collctype", &R::collctype),
    May("colllocale", &R::colllocale), May("collicurules", &R::collicurules),
    May("collversion", &R::collversion));

RELCACHE_COLUMNS(AmprocRow,
    Must("amprocnum", &R::amprocnum), Must("amproc", &R::amproc));

RELCACHE_COLUMNS(OpclassRow,
    Must("oid", &R::oid), Must("opcname", &R::opcname), Must("opcnamespace", &R::opcnamespace),
    Must("nspname", &R::nspname), Must("amname", &R::amname), Must("opcfamily", &R::opcfamily),
    Must("opcintype", &R::opcintype), May("opcdefault", &R::opcdefault),
    May("opckeytype", &R::opckeytype), May("pg_amproc", &R::amprocs));
// clang-format on

}  // namespace relcache
