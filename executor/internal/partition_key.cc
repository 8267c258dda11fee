#include "relcache/executor/internal/partition_key.h"

#include <algorithm>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/names.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/executor/expressions/internal/collation.h"
#include "relcache/executor/internal/partition_key_text.h"
#include "relcache/nodes/columns.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/type_io.h"

namespace relcache::internal {
namespace {

using Word = KeyOrder::Word;

/// bttext_pattern_cmp and btbpchar_pattern_cmp: the order of bytes under every collation.
constexpr Oid kTextPatternCompare = 2166, kBpcharPatternCompare = 2180;

Error Contradiction(const RelationDescriptor& table, std::string_view what) {
  return {ErrorCode::kInvalidInput, "XX000",
          Format("partition key of relation \"{}\": {}", table.name(), what)};
}

Word WordOfType(Oid type) {
  switch (type) {
    case kInt2Oid:
      return Word::kInt2;
    case kInt4Oid:
    case kDateOid:
      return Word::kInt4;
    case kInt8Oid:
    case kTimeOid:
    case kTimestampOid:
    case kTimestamptzOid:
      return Word::kInt8;
    case kOidOid:
      return Word::kOid;
    case kBoolOid:
      return Word::kBool;
    case kCharOid:
      return Word::kChar;
    default:
      return Word::kNone;
  }
}

class KeyMaker {
 public:
  KeyMaker(const RelationDescriptor& table, const RelationDescriptor& rows,
           std::span<const AttrNumber> map, ObjectLookup& objects, MemoryContext& cx)
      : table_(table),
        row_(*table.partitioned_table()),
        rows_(rows),
        map_(map),
        objects_(objects),
        cx_(cx) {}

  Result<PartitionKey> Make() {
    const auto count = static_cast<std::size_t>(row_.partnatts);
    key_.strategy = row_.partstrat;
    if (key_.strategy != 'r' && key_.strategy != 'l' && key_.strategy != 'h')
      return Fail(Contradiction(table_, "unknown strategy"));
    if (count == 0 || row_.partattrs.size() != count || row_.partclass.size() != count ||
        row_.partcollation.size() != count || (key_.strategy == 'l' && count != 1))
      return Fail(Contradiction(table_, "wrong number of columns"));
    if (table_.partition_key() != nullptr) {
      RELCACHE_ASSIGN(const TreeImage* image, table_.partition_key()->Get());
      expressions_ = As<List>(image->root());
    }
    PartitionKeyText text(table_);
    for (std::size_t i = 0; i < count; ++i) {
      KeyPart part;
      RELCACHE_TRY(row_.partattrs[i] != 0 ? Column(row_.partattrs[i], part, text)
                                          : Expression(part, text));
      RELCACHE_ASSIGN(part.base, BaseOf(part.type));
      RELCACHE_ASSIGN(KeyOrder order, OrderOf(part, i));
      key_.parts.push_back(part);
      key_.orders.push_back(std::move(order));
    }
    key_.columns = text.Finish();
    return std::move(key_);
  }

 private:
  Status Column(AttrNumber attnum, KeyPart& part, PartitionKeyText& text) {
    const AttributeRow* column = table_.attribute(attnum);
    if (column == nullptr || column->attisdropped)
      return Fail(Contradiction(table_, Format("no column {}", attnum)));
    const AttrNumber mapped = map_[static_cast<std::size_t>(attnum) - 1];
    part.column = static_cast<std::size_t>(mapped) - 1;
    part.type = column->atttypid;
    text.AddColumn(column->attname);
    return {};
  }

  Status Expression(KeyPart& part, PartitionKeyText& text) {
    if (expressions_ == nullptr || next_expression_ >= expressions_->size())
      return Fail(Contradiction(table_, "an expression is missing"));
    const Node* tree = (*expressions_)[next_expression_++];
    if (tree == nullptr) return Fail(Contradiction(table_, "an expression is missing"));
    text.AddExpression(*tree);
    RELCACHE_ASSIGN(const Node* moved, ReplaceColumns(*tree, map_, cx_));
    Result<const Program*> program = CompileFor(rows_, moved, objects_, /*borrow=*/true, cx_);
    if (!program)
      return Fail(std::move(program).error().At(
          Format("relation {}.{}: partition key", table_.schema(), table_.name())));
    part.program = *program;
    part.type = part.program->result_type();
    return {};
  }

  Result<Oid> BaseOf(Oid type) {
    RELCACHE_ASSIGN(const BaseType base, FindBaseType(type, objects_));
    if (base.rows == nullptr && FindTypeInfo(base.oid) == nullptr)
      return Fail(Contradiction(table_, "a type that does not exist"));
    return base.oid;
  }

  Error Refuse(std::string_view what, Oid type) {
    Result<std::string> name = FormatTypeOf(type, -1, table_.source());
    return NotSupported(Format("partition key of relation \"{}\": {} type {}", table_.name(), what,
                               name ? *name : std::string("???")));
  }

  Result<KeyOrder> OrderOf(const KeyPart& part, std::size_t i) {
    KeyOrder order;
    RELCACHE_ASSIGN(const OpclassRow* opclass, table_.source().LoadOpclass(row_.partclass[i], cx_));
    const bool is_hash = key_.strategy == 'h';
    const std::string_view method = is_hash ? "hash" : "btree";
    if (opclass == nullptr || opclass->amname != method)
      return Fail(Contradiction(table_, "an operator class that does not exist"));
    const bool pattern = !is_hash && std::ranges::any_of(opclass->amprocs, [](const AmprocRow& p) {
      return p.amprocnum == 1 &&
             (p.amproc == kTextPatternCompare || p.amproc == kBpcharPatternCompare);
    });
    if (opclass->oid >= kFirstUnpinnedObjectId || (!opclass->opcdefault && !pattern))
      return Fail(
          NotSupported(Format("partition key of relation \"{}\": OPERATOR CLASS {}", table_.name(),
                              QuoteQualifiedIdentifier(opclass->nspname, opclass->opcname))));
    if (FindTypeInfo(part.base) == nullptr) {
      RELCACHE_TRY(EnumOrder(part.base, is_hash, order));
      return order;
    }
    const TypeOps* ops = FindTypeOps(part.base);
    if (ops == nullptr || (is_hash && ops->hash_extended == nullptr))
      return Fail(Refuse(is_hash ? "hash of" : "order of", part.base));
    RELCACHE_TRY(CheckCollation(row_.partcollation[i], is_hash, pattern));
    if (is_hash) {
      order.hash = ops->hash_extended;
    } else {
      order.compare = ops->compare;
      order.word = WordOfType(part.base);
    }
    return order;
  }

  Status EnumOrder(Oid type, bool is_hash, KeyOrder& order) {
    RELCACHE_ASSIGN(const TypeRows* rows, objects_.FindType(type));
    if (rows == nullptr || rows->pg_type.typtype != 'e')
      return Fail(Refuse(is_hash ? "hash of" : "order of", type));
    if (is_hash) {
      order.hash = FindTypeOps(kOidOid)->hash_extended;
      return {};
    }
    order.word = Word::kEnum;
    for (std::size_t i = 0; i < rows->enums.size(); ++i)
      order.labels.emplace_back(rows->enums[i].oid, static_cast<std::int64_t>(i));
    std::ranges::sort(order.labels);
    return {};
  }

  /// Whether texts are equal is decided by their bytes under every deterministic collation, and so
  /// are their hashes. Their order matters for ranges only.
  Status CheckCollation(Oid collation, bool is_hash, bool pattern) {
    if (IsBytewise(collation)) return {};
    CollationTraits traits;
    if (collation == kDefaultCollationOid) {
      traits = DefaultTraits(objects_.info());
    } else {
      RELCACHE_ASSIGN(const CollationRow* row, objects_.FindCollation(collation));
      if (row == nullptr) return Fail(Contradiction(table_, "a collation that does not exist"));
      traits = TraitsOf(*row);
    }
    const bool needs_order = key_.strategy == 'r' && !pattern;
    if (needs_order ? traits.bytewise : traits.deterministic) return {};
    return Fail(NotSupported(Format("partition key of relation \"{}\": {} under COLLATION {}",
                                    table_.name(), is_hash ? "hash" : "order", traits.name)));
  }

  const RelationDescriptor& table_;
  const PartitionedTableRow& row_;
  const RelationDescriptor& rows_;
  const std::span<const AttrNumber> map_;
  ObjectLookup& objects_;
  MemoryContext& cx_;
  PartitionKey key_;
  const List* expressions_ = nullptr;
  std::size_t next_expression_ = 0;
};

/// The text of a value of a key, by way of the labels of an enum.
std::optional<std::string_view> TextOf(Oid type, Datum value, const SessionSettings& settings,
                                       CatalogSource& source, MemoryContext& cx) {
  if (FindTypeInfo(type) != nullptr) {
    const auto text = TypeOutput(type, value, settings, cx, {source.info().server_version_num});
    return text ? std::optional(*text) : std::nullopt;
  }
  const Result<const TypeRows*> rows = source.LoadType(type, cx);
  if (rows && *rows != nullptr)
    for (const EnumRow& label : (*rows)->enums)
      if (label.oid == DatumGetObjectId(value)) return label.enumlabel;
  return std::nullopt;
}

}  // namespace

Result<PartitionKey> MakePartitionKey(const RelationDescriptor& table,
                                      const RelationDescriptor& rows,
                                      std::span<const AttrNumber> map, ObjectLookup& objects,
                                      MemoryContext& cx) {
  return KeyMaker(table, rows, map, objects, cx).Make();
}

Result<std::vector<AttrNumber>> MapColumnsByName(const RelationDescriptor& to,
                                                 const RelationDescriptor& from) {
  std::vector<AttrNumber> map;
  for (const AttributeRow& column : to.attributes()) {
    AttrNumber found = 0;
    if (!column.attisdropped) {
      // Nearly always the columns are the same ones in the same order.
      const AttributeRow* other = from.attribute(column.attnum);
      if (other == nullptr || other->attisdropped || other->attname != column.attname)
        other = from.attribute(column.attname);
      if (other == nullptr || other->atttypid != column.atttypid ||
          other->atttypmod != column.atttypmod)
        return Fail(ErrorCode::kInvalidInput, "42804",
                    Format("could not convert row type: column \"{}\" of relation \"{}\" is not "
                           "one of relation \"{}\"",
                           column.attname, to.name(), from.name()));
      found = other->attnum;
    }
    map.push_back(found);
  }
  return map;
}

std::optional<std::string> DescribeKey(const PartitionKey& key, const NullableDatum* values,
                                       const SessionSettings& settings, CatalogSource& source,
                                       MemoryContext& cx) {
  constexpr std::size_t kMaxShown = 64;
  if (key.columns.empty()) return std::nullopt;
  std::string out = "(" + key.columns + ") = (";
  for (std::size_t i = 0; i < key.parts.size(); ++i) {
    if (i > 0) out += ", ";
    if (values[i].isnull) {
      out += "null";
      continue;
    }
    const auto text = TextOf(key.parts[i].base, values[i].value, settings, source, cx);
    if (!text) return std::nullopt;
    std::string_view shown = *text;
    if (shown.size() > kMaxShown) {
      std::size_t n = kMaxShown;
      while (n > 0 && (static_cast<unsigned char>(shown[n]) & 0xc0) == 0x80) --n;
      shown = shown.substr(0, n);
    }
    out += shown;
    if (shown.size() < text->size()) out += "...";
  }
  return out + ")";
}

}  // namespace relcache::internal
