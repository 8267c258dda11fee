// Rows for the tables of tests/data/partitions.sql, and where PostgreSQL 15 puts them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache::test {

using Texts = std::vector<std::optional<std::string>>;

struct Route {
  const char* table;
  /// The values of the columns that are not dropped.
  Texts row;
  /// The leaf, or the message and the detail of the error.
  const char* goes_to;
};

inline const std::optional<std::string> kNull;

#define NO_PARTITION(table, key)      \
  "no partition of relation \"" table \
  "\" found for row | Partition key of the failing row contains " key "."

inline const std::vector<Route>& Routes() {
  static const std::vector<Route> routes = {
      {"days", {"1", "2024-01-01", "x"}, "days_jan"},
      {"days", {"1", "2024-01-31", "x"}, "days_jan"},
      {"days", {"1", "2024-02-01", "x"}, NO_PARTITION("days", "(day) = (2024-02-01)")},
      {"days", {"1", "2024-03-01", "x"}, "days_mar"},
      {"days", {"1", "-infinity", "x"}, "days_old"},
      {"days", {"1", "2022-12-31", "x"}, "days_old"},
      {"days", {"1", "2023-01-01", "x"}, NO_PARTITION("days", "(day) = (2023-01-01)")},
      {"days", {"1", "infinity", "x"}, NO_PARTITION("days", "(day) = (infinity)")},
      {"days", {"1", kNull, "x"}, NO_PARTITION("days", "(day) = (null)")},
      {"hours", {"1603584000"}, "hours_1"},
      {"hours", {"1603587599"}, "hours_1"},
      {"hours", {"1603590000"}, NO_PARTITION("hours", "(at) = (1603590000)")},
      {"hours", {"1603591200"}, "hours_2"},
      {"hours", {"1603594800"}, NO_PARTITION("hours", "(at) = (1603594800)")},
      {"words", {"a"}, "words_a"},
      {"words", {"A"}, "words_a"},
      {"words", {"b"}, "words_rest"},
      {"words", {""}, "words_rest"},
      {"words", {"n"}, "words_null"},
      {"words", {kNull}, "words_null"},
      {"flags", {"1"}, "flags_1"},
      {"flags", {kNull}, "flags_rest"},
      {"flags", {"-1"}, "flags_rest"},
      {"pairs", {"0", "99"}, "pairs_1"},
      {"pairs", {"1", "-100"}, "pairs_2"},
      {"pairs", {"1", "4"}, "pairs_2"},
      {"pairs", {"1", "5"}, "pairs_3"},
      {"pairs", {"1", "2147483647"}, "pairs_3"},
      {"pairs", {"2", "0"}, NO_PARTITION("pairs", "(a, b) = (2, 0)")},
      {"pairs", {"3", "2147483647"}, NO_PARTITION("pairs", "(a, b) = (3, 2147483647)")},
      {"pairs", {"4", "-2147483648"}, NO_PARTITION("pairs", "(a, b) = (4, -2147483648)")},
      {"pairs", {"0", kNull}, NO_PARTITION("pairs", "(a, b) = (0, null)")},
      {"numbers", {kNull}, "numbers_0"},
      {"numbers", {"0"}, "numbers_0"},
      {"numbers", {"1"}, "numbers_0"},
      {"numbers", {"2"}, "numbers_2"},
      {"numbers", {"3"}, "numbers_1"},
      {"numbers", {"4"}, "numbers_3"},
      {"numbers", {"5"}, "numbers_1"},
      {"numbers", {"-1"}, "numbers_1"},
      {"holey", {"0"}, "holey_0"},
      {"holey", {"3"}, "holey_1"},
      {"holey", {"4"}, NO_PARTITION("holey", "(n) = (4)")},
      {"moved", {"1", "one"}, "moved_1"},
      {"moved", {"2", "MINE"}, "moved_2_m"},
      {"moved", {"2", "z"}, NO_PARTITION("moved_2", "(lower(b)) = (z)")},
      {"moved", {"2", kNull}, NO_PARTITION("moved_2", "(lower(b)) = (null)")},
      {"moved", {"3", "q"}, "moved_3_0"},
      {"moved", {"3", "abc"}, "moved_3_1"},
      {"moved", {"4", "x"}, NO_PARTITION("moved", "(a) = (4)")},
      {"computed", {"2024-01-17 12:00:00", "14"}, "computed_1"},
      {"computed",
       {"2024-01-17 12:00:00", "15"},
       NO_PARTITION("computed", "((t::date), (n % 10)) = (2024-01-17, 5)")},
      {"computed",
       {"2024-02-01", "1"},
       NO_PARTITION("computed", "((t::date), (n % 10)) = (2024-02-01, 1)")},
      {"moods", {"sad"}, "moods_low"},
      {"moods", {"ok"}, "moods_low"},
      {"moods", {"fine"}, "moods_high"},
      {"moods", {"happy"}, "moods_high"},
      {"moods", {kNull}, NO_PARTITION("moods", "(m) = (null)")},
      {"sizes", {"2"}, "sizes_1"},
      {"sizes", {"3"}, NO_PARTITION("sizes", "(s) = (3)")},
      {"quoted", {"1", "x"}, "Quoted 1"},
      {"quoted", {"11", "a"}, NO_PARTITION("quoted", "(\"Key\", \"b\"\"b\") = (11, a)")},
      {"quoted",
       {"11", std::string(63, 'x') + "äz"},
       NO_PARTITION("quoted",
                    "(\"Key\", \"b\"\"b\") = (11, "
                    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...)")},
      {"emptied", {"1"}, NO_PARTITION("emptied", "(a) = (1)")},
  };
  return routes;
}

/// A value of a type that is built in, a domain over one, or an enum.
inline Result<Datum> InputByRows(Oid type, std::int32_t typmod, std::string_view text,
                                 CatalogSource& source, const SessionSettings& settings,
                                 MemoryContext& cx) {
  while (FindTypeInfo(type) == nullptr) {
    RELCACHE_ASSIGN(const TypeRows* rows, source.LoadType(type, cx));
    for (const EnumRow& label : rows->enums)
      if (label.enumlabel == text) return ObjectIdGetDatum(label.oid);
    if (rows->pg_type.typtype != 'd') return Fail(NotSupported("type " + std::string(text)));
    type = rows->pg_type.typbasetype;
  }
  return TypeInput(type, typmod, text, settings, cx);
}

/// A row of a relation; `texts` has the values of the columns that are not dropped.
inline std::vector<NullableDatum> RowOf(const RelationDescriptor& relation, const Texts& texts,
                                        const SessionSettings& settings, MemoryContext& cx) {
  std::vector<NullableDatum> row(relation.attributes().size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const AttributeRow& column = relation.attributes()[i];
    if (column.attisdropped) continue;
    const std::optional<std::string>& text = texts.at(next++);
    if (text)
      row[i] = {
          InputByRows(column.atttypid, column.atttypmod, *text, relation.source(), settings, cx)
              .value(),
          false};
  }
  return row;
}

}  // namespace relcache::test
