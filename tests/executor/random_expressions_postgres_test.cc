// Random expressions over random rows, against the server: values, errors and which comes first.
// Few and always the same ones in the usual suite. By hand, any number:
//
//     export RELCACHE_RANDOM_EXPRESSIONS=20000 RELCACHE_RANDOM_SEED=7
//     executor_test --gtest_filter='PostgresRandomExpressionTest.*'
//
// A case that differs is made smaller as long as it still differs, and printed.
#include <functional>
#include <random>
#include <set>

#include "relcache/executor/functions/function.h"
#include "relcache/executor/functions/function_tables.h"
#include "relcache/tests/executor/postgres_expressions.h"

namespace relcache {
namespace {

using testing::CompareWithServer;
using testing::ExpressionServer;

struct TypeUnderTest {
  const char* name;
  /// Columns of the type; its texts for columns and literals.
  int columns;
  std::vector<const char*> texts;
  /// Texts that only literals have: with a typmod's cast, or not valid for a column.
  std::vector<const char*> literals;
};

const std::vector<TypeUnderTest>& Types() {
  static const std::vector<TypeUnderTest> types = {
      {"bool", 3, {"t", "f"}, {}},
      {"int2", 1, {"0", "1", "-1", "32767", "-32768", "7"}, {}},
      {"int4", 2, {"0", "1", "-1", "2", "10", "2147483647", "-2147483648"}, {}},
      {"int8",
       1,
       {"0", "1", "-1", "9223372036854775807", "-9223372036854775808", "4294967296"},
       {}},
      {"oid", 1, {"0", "1", "4294967295", "16384"}, {}},
      {"float4", 1, {"0", "-0", "1.5", "NaN", "Infinity", "-Infinity", "3.4e38", "1e-45"}, {}},
      {"float8",
       1,
       {"0", "-0", "0.1", "NaN", "Infinity", "-Infinity", "1.7e308", "5e-324", "2.5"},
       {}},
      {"numeric",
       2,
       {"0", "1", "-1", "0.5", "NaN", "Infinity", "-Infinity", "99.995", "1e20", "-0.0001", "2.50"},
       {"'12.345'::numeric(4,2)", "'255'::numeric(3,0)", "'1e100'::numeric"}},
      {"text",
       2,
       {"", "a", "A", "abc", " x ", "\xc3\xa9", "10", "t", "2020-01-01", "%", "_a", "a\\",
        "1.1.1.1", "1 day"},
       {"'x'::text"}},
      {"varchar", 1, {"", "a", "abc ", "10", "x"}, {"'abcdef'::varchar(3)", "'a'::varchar(1)"}},
      {"bpchar", 1, {"a", "a  ", "", "abc", "10"}, {"'ab'::char(4)", "'abc  '::char(3)"}},
      {"date",
       1,
       {"2000-01-01", "1999-12-31", "2020-02-29", "infinity", "-infinity", "4713-01-01 BC",
        "5874897-12-31", "0001-01-01"},
       {}},
      {"time", 1, {"00:00", "24:00:00", "23:59:59.999999", "12:34:56.5"}, {}},
      {"timestamp",
       1,
       {"2000-01-01 00:00", "1999-12-31 23:59:59.999999", "infinity", "-infinity",
        "294276-12-31 23:59:59.999999", "4713-11-24 00:00 BC", "2020-02-29 12:00"},
       {"'2020-01-01 00:00:00.999'::timestamp(2)"}},
      {"timestamptz",
       1,
       {"2000-01-01 00:00+00", "infinity", "-infinity", "294276-12-31 23:59:59.999999+00",
        "4713-11-24 00:00+00 BC", "2020-02-29 12:00+02"},
       {}},
      {"interval",
       1,
       {"0", "1 day", "-1 day", "1 mon", "24:00", "30 days", "178000000 years", "-178000000 years",
        "1 mon -1 day 00:00:00.000001"},
       {"'1 day 10:00'::interval day"}},
      {"uuid",
       1,
       {"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
       {}},
      {"bytea", 1, {"\\x", "\\x00", "\\x6162", "\\xff"}, {}},
      {"jsonb", 1, {"{}", "[1,2]", "{\"a\": 1}", "null", "\"a\"", "1.50", "{\"a\": null}"}, {}},
      {"inet", 1, {"1.1.1.1", "10.0.0.1/8", "::1", "::ffff:1.2.3.4/96", "0.0.0.0/0"}, {}},
      {"cidr", 1, {"10.0.0.0/8", "1.1.1.1/32", "::/0", "2001:db8::/32"}, {}},
      {"mood", 1, {"sad", "ok", "happy"}, {}},
      {"dnum", 1, {"0", "99.99", "-1", "NaN"}, {"255::numeric::dnum", "1000000::dnum"}},
      {"dint", 1, {"1", "5", "-7"}, {"0::int4::dint", "20::int4::dint", "null::int4::dint"}},
      {"dtext", 1, {"ab", "abc"}, {"'a'::text::dtext"}},
      {"dplain", 1, {"0", "1", "-1"}, {"0::int4::dplain"}},
      {"int4[]", 1, {"{}", "{1}", "{1,NULL,2}", "{{1,2},{3,4}}", "[0:1]={1,2}"}, {}},
      {"text[]", 1, {"{}", "{a}", "{a,NULL}", "{\"\"}"}, {}},
  };
  return types;
}

/// An expression as the text between its parts, and the parts.
struct Term {
  int type = 0;
  std::vector<std::string> text{""};
  std::vector<Term> parts;

  std::string Sql() const {
    std::string out = text[0];
    for (std::size_t i = 0; i < parts.size(); ++i) out += parts[i].Sql() + text[i + 1];
    return out;
  }
  std::size_t Size() const {
    std::size_t n = 1;
    for (const Term& part : parts) n += part.Size();
    return n;
  }
};

class Generator {
 public:
  Generator(ExpressionServer& server, std::uint32_t seed) : random_(seed) {
    std::string oids;
    for (const Function* function : AllFunctions())
      if (function->provolatile != 'v' && function->nargs > 0)
        oids += (oids.empty() ? "" : ",") + std::to_string(function->oid);
    const std::string known =
        "(select string_agg(coalesce(nullif(format_type(t, null), 'character'), 'bpchar'), '|' "
        "order by n) from unnest(proargtypes) with ordinality u(t, n)), "
        "coalesce(nullif(format_type(prorettype, null), 'character'), 'bpchar')";
    for (const auto& row :
         server.Query("select " + known +
                      ", quote_ident(proname), (select min(oprname) from pg_operator "
                      "where oprcode = p.oid and oprkind = 'b'), (select min(oprname) from "
                      "pg_operator where "
                      "oprcode = p.oid and oprkind = 'l') from pg_proc p where oid in (" +
                      oids + ") order by oid"))
      AddCall(row);
    for (const auto& row : server.Query(
             "select coalesce(nullif(format_type(castsource, null), 'character'), 'bpchar'), "
             "coalesce(nullif(format_type(casttarget, null), 'character'), 'bpchar') from pg_cast "
             "order by 1, 2")) {
      const int from = TypeNamed(*row[0]), to = TypeNamed(*row[1]);
      if (from >= 0 && to >= 0) casts_.push_back({from, to});
    }
    const int text = TypeNamed("text");
    for (int t = 0; t < static_cast<int>(Types().size()); ++t) {
      casts_.push_back({text, t});
      casts_.push_back({t, text});
    }
    for (const char* base : {"dnum numeric", "dint int4", "dtext text", "dplain int4"}) {
      const std::string_view both = base;
      const int domain = TypeNamed(both.substr(0, both.find(' ')));
      const int of = TypeNamed(both.substr(both.find(' ') + 1));
      for (int i = 0; i < 3; ++i) casts_.push_back({of, domain});
      casts_.push_back({domain, of});
    }
  }

  static std::string Columns() {
    std::string out;
    for (std::size_t t = 0; t < Types().size(); ++t)
      for (int i = 0; i < Types()[t].columns; ++i)
        out += (out.empty() ? "" : ", ") + ColumnName(t, i) + " " + TypeName(t);
    return out;
  }
  ExpressionServer::Table Rows(std::size_t n) {
    ExpressionServer::Table out(n);
    for (auto& row : out)
      for (const TypeUnderTest& type : Types())
        for (int i = 0; i < type.columns; ++i)
          row.push_back(Chance(5) && type.name != std::string_view("dint")
                            ? std::optional<std::string>()
                            : std::optional<std::string>(Any(type.texts)));
    return out;
  }

  Term Top() { return Chance(3) ? Make(AnyType(), 4) : Make(0, 4); }

  /// Smaller terms of the same type in place of one.
  std::vector<Term> Instead(const Term& term) const {
    std::vector<Term> out;
    std::function<void(const Term&)> inside = [&](const Term& at) {
      for (const Term& part : at.parts) {
        if (part.type == term.type) out.push_back(part);
        inside(part);
      }
    };
    inside(term);
    if (!term.parts.empty()) {
      for (int i = 0; i < Types()[Index(term.type)].columns; ++i)
        out.push_back({term.type, {ColumnName(Index(term.type), i)}, {}});
      for (const char* text : Types()[Index(term.type)].texts)
        out.push_back({term.type, {Literal(term.type, text)}, {}});
      out.push_back({term.type, {"null::" + std::string(Types()[Index(term.type)].name)}, {}});
    }
    return out;
  }

 private:
  struct Call {
    int result;
    std::vector<int> arguments;
    std::vector<std::string> text;
  };

  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  static std::string ColumnName(std::size_t type, int i) {
    std::string name = Types()[type].name;
    if (name.ends_with("[]")) name = "a_" + name.substr(0, name.size() - 2);
    return "c_" + name + std::to_string(i);
  }
  static std::string TypeName(std::size_t type) {
    const std::string name = Types()[type].name;
    const bool text = name == "text" || name == "varchar" || name == "bpchar" || name == "text[]";
    return text ? name + " collate \"C\"" : name;
  }
  static int TypeNamed(std::string_view name) {
    static const std::map<std::string, std::string, std::less<>> other = {
        {"boolean", "bool"},
        {"smallint", "int2"},
        {"integer", "int4"},
        {"bigint", "int8"},
        {"real", "float4"},
        {"double precision", "float8"},
        {"character varying", "varchar"},
        {"time without time zone", "time"},
        {"timestamp without time zone", "timestamp"},
        {"timestamp with time zone", "timestamptz"},
        {"anyarray", "int4[]"},
        {"anyenum", "mood"}};
    const auto found = other.find(name);
    if (found != other.end()) name = found->second;
    for (std::size_t t = 0; t < Types().size(); ++t)
      if (Types()[t].name == name) return static_cast<int>(t);
    return -1;
  }
  void AddCall(const std::vector<std::optional<std::string>>& row) {
    Call call;
    std::string types = *row[0] + "|";
    for (std::size_t at = 0, end; (end = types.find('|', at)) != std::string::npos; at = end + 1)
      call.arguments.push_back(TypeNamed(types.substr(at, end - at)));
    call.result = TypeNamed(*row[1]);
    if (call.result < 0) return;
    // A function that applies a typmod is called by casts alone, and with other than any number.
    if (call.arguments.size() >= 2 && call.arguments[0] == call.result &&
        call.arguments[1] == TypeNamed("int4"))
      for (const char* coerces : {"bpchar", "\"varchar\"", "\"numeric\"", "\"timestamp\"",
                                  "timestamptz", "\"interval\"", "\"time\""})
        if (*row[2] == coerces) return;
    for (const int type : call.arguments)
      if (type < 0) return;
    if (row[3]) {
      call.text = {"(", " " + *row[3] + " ", ")"};
    } else if (row[4]) {
      call.text = {"(" + *row[4] + " ", ")"};
    } else {
      call.text = {"pg_catalog." + *row[2] + "("};
      for (std::size_t i = 1; i < call.arguments.size(); ++i) call.text.emplace_back(", ");
      call.text.emplace_back(")");
    }
    calls_.push_back(call);
  }

  std::uint32_t Below(std::size_t n) {
    return static_cast<std::uint32_t>(random_() % std::max<std::size_t>(n, 1));
  }
  bool Chance(std::size_t one_in) { return Below(one_in) == 0; }
  template <class T>
  const T& Any(const std::vector<T>& of) {
    return of[Below(of.size())];
  }
  int AnyType() { return static_cast<int>(Below(Types().size())); }

  static std::string Literal(int type, std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
      if (c == '\'') out += c;
      out += c;
    }
    return out + "'::" + Types()[Index(type)].name;
  }
  Term Leaf(int type) {
    const TypeUnderTest& of = Types()[Index(type)];
    Term out;
    out.type = type;
    if (Chance(8)) {
      out.text[0] = "null::" + std::string(of.name);
    } else if (Chance(2)) {
      out.text[0] = ColumnName(Index(type), static_cast<int>(Below(Index(of.columns))));
    } else if (!of.literals.empty() && Chance(3)) {
      out.text[0] = "(" + std::string(Any(of.literals)) + ")";
    } else {
      out.text[0] = Literal(type, Any(of.texts));
    }
    return out;
  }
  Term& Add(Term& to, Term part, std::string after) {
    to.parts.push_back(std::move(part));
    to.text.push_back(std::move(after));
    return to;
  }
  /// `first` a `between` a `between` a `last`.
  Term Many(int type, int part_type, std::size_t n, std::string first, const std::string& between,
            const std::string& last, int depth) {
    Term out;
    out.type = type;
    out.text[0] = std::move(first);
    for (std::size_t i = 0; i < n; ++i)
      Add(out, Make(part_type, depth), i + 1 == n ? last : between);
    return out;
  }

  Term Make(int type, int depth) {
    if (depth <= 0 || Chance(6)) return Leaf(type);
    --depth;
    if (type == 0 && !Chance(4)) return Condition(depth);
    const std::string name = Types()[Index(type)].name;
    switch (Below(11)) {
      case 0: {  // CASE WHEN
        Term out;
        out.type = type;
        out.text[0] = "(case";
        const std::size_t n = 1 + Below(3);
        for (std::size_t i = 0; i < n; ++i) {
          out.text.back() += " when ";
          Add(out, Make(0, depth), " then ");
          Add(out, Make(type, depth), "");
        }
        if (!Chance(3)) {
          out.text.back() += " else ";
          Add(out, Make(type, depth), "");
        }
        out.text.back() += " end)";
        return out;
      }
      case 1: {  // CASE x WHEN
        Term out;
        out.type = type;
        const int of = AnyType();
        out.text[0] = "(case ";
        Add(out, Make(of, depth), "");
        const std::size_t n = 1 + Below(3);
        for (std::size_t i = 0; i < n; ++i) {
          out.text.back() += " when ";
          Add(out, Make(of, depth - 1), " then ");
          Add(out, Make(type, depth), "");
        }
        if (!Chance(3)) {
          out.text.back() += " else ";
          Add(out, Make(type, depth), "");
        }
        out.text.back() += " end)";
        return out;
      }
      case 2:
        return Many(type, type, 1 + Below(3), "coalesce(", ", ", ")", depth);
      case 3:
        return Many(type, type, 2, "nullif(", ", ", ")", depth);
      case 4:
        return Many(type, type, 1 + Below(3), Chance(2) ? "greatest(" : "least(", ", ", ")", depth);
      case 5:
      case 6: {  // a cast
        std::vector<int> from;
        for (const auto& [source, target] : casts_)
          if (target == type) from.push_back(source);
        if (from.empty()) return Leaf(type);
        return Many(type, Any(from), 1, "(", "", ")::" + name, depth);
      }
      default: {
        std::vector<const Call*> fit;
        for (const Call& call : calls_)
          if (call.result == type) fit.push_back(&call);
        if (fit.empty()) return Leaf(type);
        const Call& call = *Any(fit);
        Term out;
        out.type = type;
        out.text[0] = call.text[0];
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
          Add(out, Make(call.arguments[i], depth), call.text[i + 1]);
        return out;
      }
    }
  }

  Term Condition(int depth) {
    const int of = AnyType();
    const std::string name = Types()[Index(of)].name;
    static const std::vector<const char*> kCompare = {"=", "<>", "<", "<=", ">", ">="};
    static const std::vector<const char*> kTests = {"true",      "not true", "false",
                                                    "not false", "unknown",  "not unknown"};
    const std::string compare = Any(kCompare);
    switch (Below(14)) {
      case 0:
      case 1:
        return Many(0, 0, 2 + Below(3), "(", " and ", ")", depth);
      case 2:
      case 3:
        return Many(0, 0, 2 + Below(3), "(", " or ", ")", depth);
      case 4:
        return Many(0, 0, 1, "(not ", "", ")", depth);
      case 5:
        return Many(0, of, 1, "(", "", Chance(2) ? " is null)" : " is not null)", depth);
      case 6:
        return Many(0, 0, 1, "(", "", std::string(" is ") + Any(kTests) + ")", depth);
      case 7:
        return Many(0, of, 2, "(", Chance(2) ? " is distinct from " : " is not distinct from ", ")",
                    depth);
      case 8: {  // IN
        Term out = Many(0, of, 1, "(", "", Chance(2) ? " in (" : " not in (", depth);
        const std::size_t n = 1 + Below(Chance(4) ? 12 : 4);
        for (std::size_t i = 0; i < n; ++i)
          Add(out, n > 4 || Chance(2) ? Leaf(of) : Make(of, depth - 1), i + 1 == n ? "))" : ", ");
        return out;
      }
      case 9: {  // = ANY (ARRAY[...])
        Term out = Many(0, of, 1, "(", "",
                        " " + compare + (Chance(2) ? " any" : " all") + " (array[", depth);
        const std::size_t n = Below(4);
        const std::string end = "]::" + name + "[]))";
        if (n == 0) out.text.back() += end;
        for (std::size_t i = 0; i < n; ++i) Add(out, Make(of, depth - 1), i + 1 == n ? end : ", ");
        return out;
      }
      case 10:
        return Between(of, depth);
      case 11: {  // rows
        const int second = AnyType();
        Term out;
        out.text[0] = "((";
        Add(out, Make(of, depth - 1), ", ");
        Add(out, Make(second, depth - 1), ") " + compare + " (");
        Add(out, Make(of, depth - 1), ", ");
        Add(out, Make(second, depth - 1), "))");
        return out;
      }
      case 12:
        return Many(0, of, 2, "(", " " + compare + " ", ")", depth);
      default: {
        std::vector<const Call*> fit;
        for (const Call& call : calls_)
          if (call.result == 0) fit.push_back(&call);
        const Call& call = *Any(fit);
        Term out;
        out.text[0] = call.text[0];
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
          Add(out, Make(call.arguments[i], depth), call.text[i + 1]);
        return out;
      }
    }
  }
  Term Between(int of, int depth) {
    Term out;
    out.text[0] = "(";
    Add(out, Make(of, depth), Chance(2) ? " between " : " not between symmetric ");
    Add(out, Make(of, depth - 1), " and ");
    return Add(out, Make(of, depth - 1), ")");
  }

  std::mt19937 random_;
  std::vector<Call> calls_;
  std::vector<std::pair<int, int>> casts_;
};

std::size_t FromEnvironment(const char* name, std::size_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

class PostgresRandomExpressionTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kRows = 40;

  void SetUp() override {
    const std::string seed = std::to_string(FromEnvironment("RELCACHE_RANDOM_SEED", 15));
    server_ = ExpressionServer::Connect("relcache_random_" + seed);
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query(R"(
      create domain dnum as numeric(6,2) check (value < 100 or value = 'NaN');
      create domain dint as int4 not null check (10 / value > -5);
      create domain dtext as text collate "C" check (length(value) > 1);
      create domain dplain as int4;
      create type mood as enum ('sad', 'ok', 'happy'))");
    server_->Define(Generator::Columns(), {});
  }

  std::string Difference(const Term& term) {
    const auto answer = server_->Ask(term.Sql());
    if (!answer) return "";
    ContextPtr cx = AllocSet::CreateRoot("random expressions");
    Scratch scratch(server_->settings(), *cx);
    return CompareWithServer(*server_, *answer, scratch).difference;
  }
  /// Replaces parts by smaller ones as long as there is a difference.
  Term Shrink(Term term, const Generator& generator) {
    int tries = 400;
    std::function<bool(Term&)> once = [&](Term& at) {
      for (const Term& smaller : generator.Instead(at)) {
        if (smaller.Size() >= at.Size() || --tries < 0) continue;
        const Term before = std::exchange(at, smaller);
        if (!Difference(term).empty()) return true;
        at = before;
      }
      for (Term& part : at.parts)
        if (once(part)) return true;
      return false;
    };
    while (tries > 0 && once(term)) {
    }
    return term;
  }

  std::unique_ptr<ExpressionServer> server_;
};

TEST_F(PostgresRandomExpressionTest, ValuesAndErrorsAreTheServers) {
  const std::size_t expressions = FromEnvironment("RELCACHE_RANDOM_EXPRESSIONS", 400);
  const auto seed = static_cast<std::uint32_t>(FromEnvironment("RELCACHE_RANDOM_SEED", 15));
  Generator generator(*server_, seed);
  ContextPtr cx = AllocSet::CreateRoot("random expressions");
  std::unique_ptr<Scratch> scratch;
  std::map<std::string, std::size_t> refused;
  std::set<std::string> seen;
  std::size_t asked = 0, pairs = 0, different = 0;
  for (std::size_t i = 0; i < expressions; ++i) {
    if (i % 100 == 0) {
      server_->SetRows(generator.Rows(kRows));
      scratch = std::make_unique<Scratch>(server_->settings(), *cx);
    }
    const Term term = generator.Top();
    const auto answer = server_->Ask(term.Sql());
    if (!answer) continue;
    ++asked;
    const auto comparison = CompareWithServer(*server_, *answer, *scratch);
    pairs += comparison.compared;
    if (!comparison.refused.empty()) ++refused[comparison.refused];
    if (comparison.difference.empty()) continue;
    ++different;
    if (seen.size() >= 100) continue;
    const Term small = Shrink(term, generator);
    if (seen.insert(small.Sql()).second)
      ADD_FAILURE() << small.Sql() << "\n  " << Difference(small) << "\n  seed " << seed
                    << ", number " << i;
  }
  std::cout << "seed " << seed << ": " << asked << " expressions, " << pairs << " pairs compared, "
            << different << " expressions different\n";
  if (std::getenv("RELCACHE_RANDOM_EXPRESSIONS") != nullptr)
    for (const auto& [why, n] : refused) std::cout << "  " << n << " " << why << "\n";
}

}  // namespace
}  // namespace relcache
