// ValidateRelationRows and ValidateTypeRows: checks of what the users of rows rely on.
#include <algorithm>
#include <set>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/stored_catalog.h"

namespace relcache {
namespace {

tl::unexpected<Error> Malformed(std::string message) {
  return Fail(ErrorCode::kInvalidInput, "XX001", std::move(message));
}

std::string Quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

/// Checks that every number is that of a column of the table (from 1), or not below `lowest`: 0
/// stands for an expression or the whole row, and negative numbers are system columns.
Status CheckColumnNumbers(std::span<const AttrNumber> numbers, int lowest, const RelationRows& rows,
                          const std::string& what) {
  for (const AttrNumber number : numbers) {
    if (number < lowest || number > rows.pg_class.relnatts) {
      return Malformed(Format("{} names column {}, but the relation has {}", what, number,
                              rows.pg_class.relnatts));
    }
  }
  return {};
}

Status CheckAttributes(const RelationRows& rows) {
  if (rows.attributes.size() !=
      static_cast<std::size_t>(std::max<int>(rows.pg_class.relnatts, 0))) {
    return Malformed(Format("relnatts is {}, but there are {} rows of pg_attribute",
                            rows.pg_class.relnatts, rows.attributes.size()));
  }
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < rows.attributes.size(); ++i) {
    const AttributeRow& column = rows.attributes[i];
    if (column.attnum != static_cast<int>(i) + 1) {
      return Malformed(Format("pg_attribute row of column {} has attnum {} where {} was expected",
                              Quoted(column.attname), column.attnum, i + 1));
    }
    if (!names.insert(column.attname).second) {
      return Malformed("column " + Quoted(column.attname) + " is there twice");
    }
    if (column.atttypid == kInvalidOid && !column.attisdropped) {
      return Malformed("column " + Quoted(column.attname) + " has no type");
    }
    if (column.attlen < -2 || column.attlen == 0) {
      return Malformed(Format("column {} has attlen {}", Quoted(column.attname), column.attlen));
    }
    if (column.attbyval && column.attlen != 1 && column.attlen != 2 && column.attlen != 4 &&
        column.attlen != 8) {
      return Malformed(
          Format("column {} is by value with attlen {}", Quoted(column.attname), column.attlen));
    }
    if (std::string_view("csid").find(column.attalign) == std::string_view::npos) {
      return Malformed("column " + Quoted(column.attname) + " has an unknown attalign");
    }
  }
  return {};
}

Status CheckConstraints(const RelationRows& rows) {
  std::set<std::string_view> names;
  for (const ConstraintRow& row : rows.constraints) {
    const std::string what = "constraint " + Quoted(row.conname);
    if (!names.insert(row.conname).second) return Malformed(what + " is there twice");
    if (row.conrelid != rows.pg_class.oid && row.conrelid != kInvalidOid) {
      return Malformed(Format("{} has conrelid {}", what, row.conrelid));
    }
    if (row.contype == 'c' && row.conbin.empty()) return Malformed(what + " has no conbin");
    RELCACHE_TRY(CheckColumnNumbers(row.conkey, -32768, rows, what));
    RELCACHE_TRY(CheckColumnNumbers(row.confdelsetcols, 1, rows, what));
  }
  return {};
}

Status CheckDefaults(const RelationRows& rows) {
  AttrNumber last = 0;
  for (const AttrdefRow& row : rows.attrdefs) {
    const std::string what = "pg_attrdef row of column " + std::to_string(row.adnum);
    RELCACHE_TRY(CheckColumnNumbers({&row.adnum, 1}, 1, rows, "a pg_attrdef row"));
    if (row.adnum == last) return Malformed(what + " is there twice");
    if (row.adbin.empty()) return Malformed(what + " has no adbin");
    last = row.adnum;
  }
  return {};
}

Status CheckIndexes(const RelationRows& rows) {
  const bool is_index = rows.pg_class.relkind == 'i' || rows.pg_class.relkind == 'I';
  for (const IndexRow& row : rows.indexes) {
    const std::string what = "index " + Quoted(row.relname);
    if ((is_index ? row.indexrelid : row.indrelid) != rows.pg_class.oid) {
      return Malformed(what + " belongs to another relation");
    }
    const auto keys = static_cast<std::size_t>(std::max<int>(row.indnkeyatts, 0));
    if (row.indnkeyatts < 0 || row.indkey.size() != static_cast<std::size_t>(row.indnatts) ||
        row.indnkeyatts > row.indnatts || row.indclass.size() != keys ||
        (!row.indcollation.empty() && row.indcollation.size() != keys) ||
        (!row.indoption.empty() && row.indoption.size() != keys)) {
      return Malformed(
          Format("{}: indkey, indclass, indcollation and indoption do not fit indnatts {} and "
                 "indnkeyatts {}",
                 what, row.indnatts, row.indnkeyatts));
    }
    // The relation of an index has the columns of the index and not those of the table.
    if (!is_index) RELCACHE_TRY(CheckColumnNumbers(row.indkey, -32768, rows, what));
    if (std::ranges::find(row.indkey, 0) != row.indkey.end() && row.indexprs.empty()) {
      return Malformed(what + " has expressions in indkey but no indexprs");
    }
  }
  return {};
}

Status CheckPartitioning(const RelationRows& rows) {
  if ((rows.partitioned_table != nullptr) != (rows.pg_class.relkind == 'p')) {
    return Malformed("a pg_partitioned_table row and relkind 'p' go together");
  }
  if (rows.pg_class.relispartition && rows.pg_class.relkind != 'I' &&
      rows.pg_class.relkind != 'i' &&
      (rows.pg_class.relpartbound.empty() || rows.parents.size() != 1)) {
    return Malformed("a partition needs relpartbound and one parent in pg_inherits");
  }
  if (rows.partitioned_table == nullptr) return {};
  const PartitionedTableRow& key = *rows.partitioned_table;
  const auto n = static_cast<std::size_t>(std::max<int>(key.partnatts, 0));
  if (n == 0 || key.partattrs.size() != n || key.partclass.size() != n ||
      (!key.partcollation.empty() && key.partcollation.size() != n)) {
    return Malformed(
        Format("partattrs, partclass and partcollation do not fit partnatts {}", key.partnatts));
  }
  if (std::string_view("hlr").find(key.partstrat) == std::string_view::npos) {
    return Malformed("unknown partstrat");
  }
  if (std::ranges::find(key.partattrs, 0) != key.partattrs.end() && key.partexprs.empty()) {
    return Malformed("partattrs has expressions but there are no partexprs");
  }
  return CheckColumnNumbers(key.partattrs, 0, rows, "the partition key");
}

}  // namespace

Status ValidateRelationRows(const RelationRows& rows) {
  const Oid oid = rows.pg_class.oid;
  if (oid == kInvalidOid) return Malformed("pg_class.oid is 0");
  if (rows.pg_class.relname.empty()) return Malformed("pg_class.relname is empty");
  RELCACHE_TRY(CheckAttributes(rows));
  RELCACHE_TRY(CheckConstraints(rows));
  RELCACHE_TRY(CheckDefaults(rows));
  RELCACHE_TRY(CheckIndexes(rows));
  for (const TriggerRow& row : rows.triggers) {
    RELCACHE_TRY(CheckColumnNumbers(row.tgattr, 1, rows, "trigger " + Quoted(row.tgname)));
  }
  for (const StatisticExtRow& row : rows.statistics) {
    RELCACHE_TRY(CheckColumnNumbers(row.stxkeys, 1, rows, "statistics " + Quoted(row.stxname)));
  }
  for (const InheritsRow& row : rows.parents) {
    if (row.inhrelid != oid || row.inhparent == oid || row.inhparent == kInvalidOid) {
      return Malformed(
          Format("a pg_inherits row says that {} inherits from {}", row.inhrelid, row.inhparent));
    }
  }
  return CheckPartitioning(rows);
}

Status ValidateTypeRows(const TypeRows& rows) {
  const TypeRow& type = rows.pg_type;
  if (type.oid == kInvalidOid) return Malformed("pg_type.oid is 0");
  if (type.typlen < -2 || type.typlen == 0) {
    return Malformed(Format("typlen is {}", type.typlen));
  }
  if (type.typbyval && type.typlen != 1 && type.typlen != 2 && type.typlen != 4 &&
      type.typlen != 8) {
    return Malformed(Format("by value with typlen {}", type.typlen));
  }
  if (type.typtype == 'd' && type.typbasetype == kInvalidOid) {
    return Malformed("a domain without typbasetype");
  }
  for (const ConstraintRow& row : rows.constraints) {
    if (row.contype == 'c' && row.conbin.empty()) {
      return Malformed("constraint " + Quoted(row.conname) + " has no conbin");
    }
  }
  return {};
}

}  // namespace relcache
