// Text under every encoding and collation (docs/text.md): what an expression is worth in a database
// of each, which must be what the server says or a refusal, in whichever encoding the rows are
// given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "relcache/cache/relation_cache.h"
#include "relcache/executor/constraints.h"
#include "relcache/executor/expressions/internal/collation.h"
#include "relcache/tests/executor/postgres_rows.h"
#include "relcache/tests/executor/rows.h"
#include "relcache/tests/executor/text_cases.h"
#include "relcache/tests/server_snapshot.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/text_locale.h"

namespace relcache {
namespace {

using testing::Database;
using testing::Databases;
using testing::kColumns;
using testing::kExpressions;

std::string Replaced(std::string text, const std::string& character) {
  if (text.find("@iqtelif") != std::string::npos) return text;
  for (std::size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, character);
  return text;
}

/// A database whose name begins with relcache_text_, gone with this.
class OwnDatabase {
 public:
  OwnDatabase(test::PostgresRows& server, const Database& database) : server_(server) {
    server_.Query("drop database if exists " + name());
    server_.Query(std::string("create database ") + name() + " template template0 encoding '" +
                  database.encoding + "' " + database.options);
  }
  ~OwnDatabase() {
    try {
      server_.Query("drop database if exists " + name());
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  OwnDatabase(const OwnDatabase&) = delete;
  OwnDatabase& operator=(const OwnDatabase&) = delete;

  /// Tests that run at the same time have one each.
  static std::string name() { return "relcache_text_test_" + std::to_string(getpid()); }
  static std::string connection() {
    return std::string(std::getenv("RELCACHE_TEST_POSTGRES")) + " dbname=" + name();
  }

 private:
  test::PostgresRows& server_;
};

class PostgresTextTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* where = std::getenv("RELCACHE_TEST_POSTGRES");
    server_ = test::PostgresRows::Connect();
    if (server_ == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    if (std::string_view(where).find("://") != std::string_view::npos)
      GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is no list of keywords and values";
    if (*server_->Query(
            "select rolcreatedb or rolsuper from pg_roles where rolname = user")[0][0] != "t")
      GTEST_SKIP() << "the role may not create databases";
    version_ = std::stoi(*server_->Query("show server_version_num")[0][0]) / 10000;
  }

  /// Values of a row; the same in the server's encoding if `converted`.
  Result<std::vector<NullableDatum>> RowOf(const std::vector<std::string>& texts,
                                           std::span<const AttributeRow> columns, bool converted,
                                           MemoryContext& cx) {
    std::vector<NullableDatum> row;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const AttributeRow& a = columns[i];
      // Bytes that are not UTF-8 cannot be counted: what they are is padded already.
      const std::int32_t typmod = converted ? -1 : a.atttypmod;
      RELCACHE_ASSIGN(const NullableDatum value,
                      testing::ValueFromText(a.atttypid, typmod, texts[i], settings_, cx));
      row.push_back(value);
    }
    return row;
  }
  void CompareIn(const Database& database);
  /// A batch of several chunks gives each row what it gets alone.
  void BatchesAgree(const RelationConstraints& checks,
                    const std::vector<std::vector<std::string>>& rows,
                    std::span<const AttributeRow> attributes, MemoryContext& cx);

  std::unique_ptr<test::PostgresRows> server_;
  int version_ = 0;
  SessionSettings settings_;
  ContextPtr scratch_cx_ = AllocSet::CreateRoot("scratch");
  Scratch scratch_{settings_, *scratch_cx_};
  std::map<std::string, int> refused_;
  int compared_ = 0;
};

void PostgresTextTest::BatchesAgree(const RelationConstraints& checks,
                                    const std::vector<std::vector<std::string>>& rows,
                                    std::span<const AttributeRow> attributes, MemoryContext& cx) {
  std::vector<testing::TestColumn> columns;
  for (const AttributeRow& a : attributes)
    columns.push_back({std::string(a.attname), {a.atttypid, a.attlen, a.attbyval}, a.atttypmod});
  std::vector<std::vector<NullableDatum>> some, many;
  for (const auto& texts : rows)
    if (auto row = RowOf(texts, attributes, false, cx)) some.push_back(std::move(*row));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    some.push_back(some[c]);
    some.back()[c].isnull = true;
  }
  while (many.size() < 2500) many.push_back(some[many.size() % some.size()]);
  const Program& program = *checks.checks[0].program;
  std::vector<TruthValue> verdicts(many.size());
  const testing::BatchOf batch(columns, many);
  EvaluateBatch(program, *batch, scratch_, verdicts);
  for (std::size_t r = 0; r < many.size(); ++r) {
    const TruthValue alone = EvaluateBool(program, many[r], scratch_, nullptr);
    ASSERT_EQ(static_cast<int>(verdicts[r]), static_cast<int>(alone)) << "row " << r;
  }
}

void PostgresTextTest::CompareIn(const Database& database) {
  const auto own = test::PostgresRows::Connect(OwnDatabase::connection().c_str());
  own->Query(std::string("create table row (") + kColumns + ", nth int)");
  own->Query(R"(create function verdict(expr text, n int) returns text language plpgsql as $$
    declare v bool; s text;
    begin
      execute 'select (' || expr || ') from row where nth = $1' into v using n;
      return coalesce(v::text, 'null');
    exception when others then
      get stacked diagnostics s = returned_sqlstate;
      return 'error ' || s;
    end $$)");
  own->Query(R"(create function define(statement text) returns bool language plpgsql as $$
    begin execute statement; return true; exception when others then return false; end $$)");
  std::vector<std::string> expressions;
  for (const char* const expression : kExpressions) {
    const std::string sql = Replaced(expression, database.characters[0]);
    const std::string name = "e" + std::to_string(expressions.size());
    if (*own->Query("select define($d$create table " + name + " (" + kColumns + ", check (" + sql +
                    "))$d$)")[0][0] == "t")
      expressions.push_back(sql);
  }
  const std::string& x = database.characters[0];
  const std::string& y = database.characters[1];
  const std::string& z = database.characters[2];
  std::vector<std::vector<std::string>> rows;
  for (const auto& [s, u] :
       std::vector<std::pair<std::string, std::string>>{{"a", "a"},
                                                        {"b", "a"},
                                                        {"", ""},
                                                        {"ab", "b"},
                                                        {x, "a"},
                                                        {x, x},
                                                        {x, y},
                                                        {y, x},
                                                        {y + "b", y},
                                                        {"a" + x, "a"},
                                                        {x + y, y},
                                                        {z, "b"},
                                                        {z + y + x, z},
                                                        {" " + x + " ", x},
                                                        {"TITLE", "title"},
                                                        {"title", "TITLE"},
                                                        {"I", "i"},
                                                        {"i", "I"},
                                                        {"1", "_"},
                                                        {"t" + x + "tle", "TITLE"},
                                                        {"a_", "a\\_"},
                                                        {"title", x},
                                                        {"i", y}}) {
    const auto cut = [](const std::string& text) { return text.size() > 3 ? "zz" : text; };
    rows.push_back({s, u, cut(s), cut(u), s, s.size() == 1 ? s : "a",
                    "{\"" + (s == "a_" ? "x" : s) + "\",b}",
                    "{\"a\": \"" + (u == "a\\_" ? "x" : u) + "\"}"});
  }
  std::string values;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    values += r == 0 ? "(" : ", (";
    for (const std::string& text : rows[r]) values += "'" + text + "', ";
    values += std::to_string(r) + ")";
  }
  own->Query("insert into row values " + values);
  // The rows as their bytes are in the server.
  std::vector<std::vector<std::string>> converted;
  for (const auto& row :
       own->Query("select encode(convert_to(s, e), 'hex'), encode(convert_to(u, e), 'hex'), "
                  "encode(convert_to(v, e), 'hex'), encode(convert_to(format('%s', c), e), 'hex'), "
                  "encode(convert_to(n::text, e), 'hex'), encode(convert_to(k::text, e), 'hex'), "
                  "encode(convert_to(a::text, e), 'hex'), encode(convert_to(j::text, e), 'hex') "
                  "from row, pg_database d, pg_encoding_to_char(encoding) e where datname = "
                  "current_database() order by nth")) {
    auto& texts = converted.emplace_back();
    for (const auto& hex : row) {
      std::string& text = texts.emplace_back();
      for (std::size_t i = 0; i < hex->size(); i += 2)
        text += static_cast<char>(std::stoi(hex->substr(i, 2), nullptr, 16));
    }
  }
  const auto catalog = test::SnapshotOf(OwnDatabase::connection());
  ASSERT_NE(catalog, nullptr);
  RelationCache cache(*catalog);
  ContextPtr cx = AllocSet::CreateRoot("text");
  for (std::size_t e = 0; e < expressions.size(); ++e) {
    SCOPED_TRACE(expressions[e]);
    const RelationPin pin = cache.Open("public", "e" + std::to_string(e)).value();
    const auto checks = ChecksOf(*pin);
    if (!checks) {
      EXPECT_EQ(checks.error().code, ErrorCode::kNotSupported) << checks.error().ToString();
      ++refused_[checks.error().message];
      continue;
    }
    BatchesAgree(**checks, rows, pin->attributes(), *cx);
    const auto expected =
        own->Query("select verdict($d$" + expressions[e] + "$d$, nth) from row order by nth");
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const bool as_stored : {false, true}) {
        const auto row =
            RowOf(as_stored ? converted[r] : rows[r], pin->attributes(), as_stored, *cx);
        if (!row) continue;
        Scratch scratch(settings_, *cx);
        const Status status = CheckRow(**checks, *row, scratch);
        std::string ours = "true";
        if (!status) {
          if (status.error().code == ErrorCode::kNotSupported) {
            ++refused_[status.error().message];
            continue;
          }
          ours = std::string(status.error().sqlstate) == "23514"
                     ? "false"
                     : "error " + std::string(status.error().sqlstate);
        }
        const std::string theirs = *expected[r][0] == "null" ? "true" : *expected[r][0];
        EXPECT_EQ(ours, theirs) << rows[r][0] << "|" << rows[r][1]
                                << (as_stored ? " in the server's encoding" : " in UTF-8");
        ++compared_;
      }
    }
  }
}

TEST_F(PostgresTextTest, EveryEncodingGivesTheServersVerdictOrARefusal) {
  int databases = 0;
  for (const Database& database : Databases()) {
    if (database.since > version_) continue;
    SCOPED_TRACE(std::string(database.encoding) + " " + database.options);
    std::unique_ptr<OwnDatabase> own;
    try {
      own = std::make_unique<OwnDatabase>(*server_, database);
    } catch (const std::exception& error) {
      std::cout << "  no database: " << error.what();
      continue;
    }
    ++databases;
    const int before = compared_;
    CompareIn(database);
    std::cout << "  " << database.encoding << " " << database.options << ": " << compared_ - before
              << " rows compared\n";
  }
  std::cout << databases << " databases, " << compared_ << " rows compared; refused:\n";
  for (const auto& [why, n] : refused_) std::cout << "  " << n << " " << why << "\n";
  EXPECT_GT(databases, 15);
}

/// Collations that a database has beside those that the server came with.
constexpr const char* kCollations[] = {
    "provider = icu, locale = 'tr'",
    "provider = icu, locale = 'TR'",
    "provider = icu, locale = 'tr-TR'",
    "provider = icu, locale = 'tr_TR'",
    "provider = icu, locale = 'tr-Latn-TR'",
    "provider = icu, locale = 'tr-u-co-search'",
    "provider = icu, locale = 'tr@collation=search'",
    "provider = icu, locale = 'tur'",
    "provider = icu, locale = 'tur-TR'",
    "provider = icu, locale = 'az'",
    "provider = icu, locale = 'az-Latn'",
    "provider = icu, locale = 'az-Cyrl-AZ'",
    "provider = icu, locale = 'az_AZ'",
    "provider = icu, locale = 'aze'",
    "provider = icu, locale = 'lt'",
    "provider = icu, locale = 'lit'",
    "provider = icu, locale = 'nl'",
    "provider = icu, locale = 'el'",
    "provider = icu, locale = 'hy'",
    "provider = icu, locale = 'deu'",
    "provider = icu, locale = 'und'",
    "provider = icu, locale = 'root'",
    "provider = icu, locale = ''",
    "provider = icu, locale = 'und-u-ks-level2'",
    "provider = icu, locale = 'und-u-kn-true'",
    "provider = icu, locale = '@colNumeric=yes'",
    "provider = icu, locale = 'und-TR'",
    "provider = icu, locale = 'en-TR'",
    "provider = icu, locale = 'de-u-co-phonebk'",
    "provider = icu, locale = 'de@collation=phonebook'",
    "provider = icu, locale = 'DE-at'",
    "provider = icu, locale = 'x-tr'",
    "provider = icu, locale = 'crh'",
    "provider = icu, locale = 'ku-TR'",
    "provider = icu, locale = 'tt-Latn'",
    "provider = icu, locale = 'C'",
    "provider = icu, locale = 'en-US-posix'",
    "provider = icu, locale = 'nonsense'",
    "provider = icu, locale = 'und-u-ks-level2', deterministic = false",
    "provider = icu, locale = 'tr', deterministic = false",
    "provider = icu, locale = 'en', rules = '&i < I'",
    "provider = icu, locale = 'tr', rules = '&a < b'",
    "provider = libc, locale = 'tr_TR'",
    "provider = libc, locale = 'tr_TR.utf8'",
    "provider = libc, locale = 'tr_TR.UTF-8'",
    "provider = libc, locale = 'tr_CY.utf8'",
    "provider = libc, locale = 'az_AZ'",
    "provider = libc, locale = 'az_AZ.utf8'",
    "provider = libc, locale = 'az_IR'",
    "provider = libc, locale = 'ku_TR.utf8'",
    "provider = libc, locale = 'crh_UA'",
    "provider = libc, locale = 'tt_RU'",
    "provider = libc, locale = 'tt_RU@iqtelif'",
    "provider = libc, locale = 'lt_LT.utf8'",
    "provider = libc, locale = 'el_GR.utf8'",
    "provider = libc, locale = 'nl_NL.utf8'",
    "provider = libc, locale = 'de_DE.utf8'",
    "provider = libc, locale = 'turkish'",
    "provider = libc, locale = 'C.utf8'",
    "provider = libc, locale = 'C'",
    "provider = libc, lc_collate = 'C', lc_ctype = 'tr_TR.utf8'",
    "provider = libc, lc_collate = 'tr_TR.utf8', lc_ctype = 'C'",
    "provider = libc, lc_collate = 'POSIX', lc_ctype = 'de_DE.utf8'",
    "provider = builtin, locale = 'C'",
    "provider = builtin, locale = 'C.UTF-8'",
    "provider = builtin, locale = 'C.UTF8'",
    "provider = builtin, locale = 'PG_UNICODE_FAST'",
};

constexpr const char* kSorted[] = {"a",   "A",  "b",  "B",  "z",   "Z",  "ä",  "å", "é",  "ö",
                                   "ch",  "ci", "cz", "ll", "lz",  "ij", "ı",  "i", "İ",  "ß",
                                   "ss",  "st", "10", "9",  "a b", "ab", "-",  "_", "日", "中",
                                   "a-b", "а́",  "я",  "š",  "sz",  "ñ",  "nz", "",  " ",  "þ"};

/// The texts above as a locale orders them.
std::string SortedBy(const TextLocale& locale) {
  std::vector<std::string_view> texts(std::begin(kSorted), std::end(kSorted));
  std::ranges::sort(texts, [&](std::string_view a, std::string_view b) {
    return locale.Compare(a, b).value() < 0;
  });
  std::string out;
  for (const std::string_view text : texts) out += std::string(text) + ";";
  return out;
}
/// The query for the same.
std::string Sorting(const std::string& collation) {
  std::string out =
      "select string_agg(s || ';', '' order by s collate " + collation + ") from unnest(array[";
  const char* separator = "";
  for (const char* const text : kSorted) {
    out += separator + ("'" + std::string(text) + "'");
    separator = ", ";
  }
  return out + "]) s";
}

TEST_F(PostgresTextTest, CollationsDoWhatIsTakenForKnown) {
  const OwnDatabase own_database(*server_, {"UTF8", LOCALE_C, {}});
  const auto own = test::PostgresRows::Connect(OwnDatabase::connection().c_str());
  own->Query(R"(create function define(statement text) returns bool language plpgsql as $$
    begin execute statement; return true; exception when others then return false; end $$)");
  own->Query(R"(create function what(expr text) returns text language plpgsql as $$
    declare v text;
    begin execute 'select ' || expr into v; return v; exception when others then return null;
    end $$)");
  int made = 0;
  for (std::size_t i = 0; i < std::size(kCollations); ++i)
    made += *own->Query("select define($d$create collation k" + std::to_string(i) + " (" +
                        kCollations[i] + ")$d$)")[0][0] == "t";
  const std::string locale = version_ >= 17   ? "colllocale"
                             : version_ >= 15 ? "colliculocale"
                                              : "case when collprovider = 'i' then collcollate end";
  const auto rows = own->Query(
      "select collname, nspname, collprovider, " +
      std::string(version_ >= 12 ? "collisdeterministic" : "true") +
      ", coalesce(collcollate::text, ''), coalesce(collctype::text, ''), coalesce((" + locale +
      ")::text, ''), format('%I.%I', nspname, collname), coalesce(collversion, ''), coalesce(" +
      (version_ >= 16 ? "collicurules" : "''") +
      ", '') from pg_collation c join pg_namespace n on "
      "n.oid = collnamespace where collprovider <> 'd' and collencoding in (-1, 6)");
  std::string ascii;
  for (char c = 32; c < 127; ++c)
    if (c != '\'' && c != '\\') ascii += c;
  const auto mapped = [&](bool lower) {
    std::string out = ascii;
    for (char& c : out) {
      if (lower && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      if (!lower && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
    return out;
  };
  const ContextPtr cx = AllocSet::CreateRoot("locales");
  int mapping = 0, only = 0, bytewise = 0, unknown = 0, needlessly = 0, locales = 0, ordered = 0;
  for (const auto& row : rows) {
    CollationRow collation;
    collation.collname = *row[0];
    collation.nspname = *row[1];
    collation.collprovider = (*row[2])[0];
    collation.collisdeterministic = *row[3] == "t";
    collation.collcollate = *row[4];
    collation.collctype = *row[5];
    collation.colllocale = *row[6];
    collation.collversion = *row[8];
    collation.collicurules = *row[9];
    const CollationTraits traits = TraitsOf(collation);
    SCOPED_TRACE(traits.name + " " + *row[2] + " " + *row[4] + " " + *row[5] + " " + *row[6]);
    const auto call = [&](const std::string& function, const std::string& text) {
      return own->Query("select what($d$" + function + "('" + text + "' collate " + *row[7] +
                        ")$d$)")[0][0];
    };
    const auto lowered = call("lower", ascii), raised = call("upper", ascii);
    if (!lowered || !raised) continue;
    const bool same = *lowered == mapped(true) && *raised == mapped(false);
    using LetterCase = CollationTraits::LetterCase;
    if (traits.letter_case == LetterCase::kUnknown) {
      ++unknown;
      needlessly += same ? 1 : 0;
    } else {
      EXPECT_TRUE(same) << *lowered << " " << *raised;
      ++mapping;
    }
    if (traits.letter_case == LetterCase::kAsciiOnly) {
      EXPECT_EQ(call("lower", "ÉЖİΑÀ").value_or(""), "ÉЖİΑÀ");
      EXPECT_EQ(call("upper", "éжıßàά").value_or(""), "éжıßàά");
      ++only;
    }
    if (traits.bytewise) {
      const auto sorted = own->Query(
          "select string_agg(s, ' ' order by s collate " + *row[7] +
          ") = string_agg(s, ' ' order by s collate \"C\") from unnest(array['a', 'B', 'b', 'A', "
          "'é', 'z', '_', '-', 'ab', 'a b', 'Z', 'İ', 'ı', 'i', '日', '1', '10', '2', '', ' ']) s");
      EXPECT_EQ(*sorted[0][0], "t");
      ++bytewise;
    }
    if (traits.provider) {
      const TextLocale& letters =
          *TextLocale::Make(*traits.provider, traits.locale, traits.icu_order, *cx).value();
      static constexpr const char* kText = "ÉЖİΑΣ ǆ ß iI its ijs άδης ŉ 2nd";
      EXPECT_EQ(letters.Lower(kText, *cx).value(), call("lower", kText).value_or(""));
      EXPECT_EQ(letters.Upper(kText, *cx).value(), call("upper", kText).value_or(""));
      EXPECT_EQ(letters.InitCap(kText, *cx).value(), call("initcap", kText).value_or(""));
      ++locales;
      if (traits.icu_order) {
        EXPECT_EQ(SortedBy(letters), *own->Query(Sorting(*row[7]))[0][0]);
        ++ordered;
      }
      cx->Reset();
    }
    if (traits.deterministic) {
      EXPECT_EQ(*own->Query("select 'a' = 'A' collate " + *row[7])[0][0], "f");
      EXPECT_EQ(*own->Query("select 'é' = U&'e\\0301' collate " + *row[7])[0][0], "f");
    }
  }
  std::cout << rows.size() << " collations, " << made << " of them made for this: " << mapping
            << " known to map ASCII to ASCII, " << only << " nothing else, " << bytewise
            << " bytewise, " << locales << " known for all letters, " << ordered
            << " ordered by ICU; " << unknown << " refused, of which " << needlessly
            << " would do for ASCII\n";
  EXPECT_GT(mapping, unknown);
}

}  // namespace
}  // namespace relcache
