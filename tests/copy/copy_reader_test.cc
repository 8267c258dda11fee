#include "relcache/copy/copy_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "relcache/copy/internal/structural_index.h"
#include "relcache/tests/copy/read_copy.h"

namespace relcache {
namespace {

using test::ReadCopy;

CopySyntax Csv() {
  CopyOptions options;
  options.format = CopyFormat::kCsv;
  return MakeCopySyntax(options).value();
}
CopySyntax Text() {
  return MakeCopySyntax({}).value();
}

struct Case {
  const char* name;
  bool csv;
  std::string_view text;
  std::vector<std::string> rows;
};

// What PostgreSQL 15 makes of files for a table of two columns; copy_postgres_test.cc compares
// more.
const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"Plain", true, "a,b\nc,d\n", {"['a']['b']", "['c']['d']"}},
      {"NoLastNewline", true, "a,b\nc,d", {"['a']['b']", "['c']['d']"}},
      {"NullAndEmpty", true, ",\"\"\n", {"[NULL]['']"}},
      {"QuotesToggle", true, "ab\"c,d\"e,f\n", {"['abc,de']['f']"}},
      {"DoubledQuotes", true, "\"a\"\"b\",\"\"\"\"\n", {"['a\"b']['\"']"}},
      {"NewlineInQuotes", true, "\"a\nb\",c\nd,e\n", {"['a\nb']['c']", "['d']['e']"}},
      {"CrLf", true, "a,b\r\nc,\"d\r\ne\"\r\n", {"['a']['b']", "['c']['d\r\ne']"}},
      {"Cr", true, "a,b\rc,d\r", {"['a']['b']", "['c']['d']"}},
      {"BareCr",
       true,
       "a,b\nc\r,d\ne,f\n",
       {"['a']['b']", "!unquoted carriage return found in data", "['e']['f']"}},
      {"BareLf",
       true,
       "a,b\r\nc,d\ne,f\r\n",
       {"['a']['b']", "!unquoted newline found in data", "['e']['f']"}},
      {"EndMarker", true, "a,b\n\\.\nc,d\n", {"['a']['b']"}},
      {"EndMarkerAsData", true, "a,b\n\\.x,d\n", {"['a']['b']", "['\\.x']['d']"}},
      {"EndMarkerInQuotes", true, "a,\"\n\\.\n\"\nc,d\n", {"['a']['\n\\.\n']", "['c']['d']"}},
      {"Backslash", true, "\\N,b\\n\n", {"['\\N']['b\\n']"}},
      {"EmptyLine",
       true,
       "a,b\n\nc,d\n",
       {"['a']['b']", "!missing data for column \"c1\"", "['c']['d']"}},
      {"Extra", true, "a,b,c\nd,e\n", {"!extra data after last expected column", "['d']['e']"}},
      {"OpenQuote", true, "a,b\nc,\"d\ne,f\n", {"['a']['b']", "!unterminated CSV quoted field"}},
      {"NotUtf8",
       true,
       "a,b\nc,\xff\ne,f\n",
       {"['a']['b']", "!invalid byte sequence for encoding \"UTF8\": 0xff", "['e']['f']"}},
      {"CutOffCharacter",
       true,
       "a,\xc3\nc,d\n",
       {"!invalid byte sequence for encoding \"UTF8\": 0xc3 0x0a", "['c']['d']"}},
      {"Nul",
       true,
       std::string_view("a,b\0\nc,d\n", 9),
       {"!invalid byte sequence for encoding \"UTF8\": 0x00", "['c']['d']"}},
      {"Nothing", true, "", {}},
      {"TextPlain", false, "a\tb\nc\t\\N\n", {"['a']['b']", "['c'][NULL]"}},
      {"TextEscapes",
       false,
       "\\b\\f\\n\\r\\t\\v\\\\\\q\t\\101\\x41\\x\\7\n",
       {"['\b\f\n\r\t\v\\q']['AAx\a']"}},
      {"TextEscapeInAFieldTooMany",
       false,
       "a\tb\tc\\0\nd\te\tf\\1\n",
       {"!invalid byte sequence for encoding \"UTF8\": 0x00",
        "!extra data after last expected column"}},
      {"TextEscapedDelimiter", false, "a\\\tb\tc\n", {"['a\tb']['c']"}},
      {"TextEscapedNewline", false, "a\\\nb\tc\n", {"['a\nb']['c']"}},
      {"TextNullIsExact", false, "\\Nx\t\\N\n", {"['Nx'][NULL]"}},
      {"TextEndMarker", false, "a\tb\n\\.\nc\td\n", {"['a']['b']"}},
      {"TextEndMarkerBehindData", false, "a\tb\\.\nc\td\n", {"['a']['b']"}},
      {"TextCorruptMarker",
       false,
       "a\t\\.b\nc\td\n",
       {"!end-of-copy marker corrupt", "['c']['d']"}},
      {"TextBareCr",
       false,
       "a\tb\nc\r\td\n",
       {"['a']['b']", "!literal carriage return found in data"}},
      {"TextEscapedByte",
       false,
       "a\t\\xff\n",
       {"!invalid byte sequence for encoding \"UTF8\": 0xff"}},
      {"TextLastBackslash", false, "a\tb\\", {"['a']['b']"}},
  };
  return cases;
}

TEST(CopyReaderTest, FilesAreReadAsCopyReadsThem) {
  for (const Case& c : Cases())
    EXPECT_EQ(ReadCopy(c.text, c.csv ? Csv() : Text(), 2), c.rows) << c.name;
}

TEST(CopyReaderTest, WhereChunksAndReadsEndMakesNoDifference) {
  for (const Case& c : Cases())
    for (const std::size_t chunk : {1, 2, 3, 7, 64})
      for (const std::size_t at_once : {1, 5, 1000})
        EXPECT_EQ(ReadCopy(c.text, c.csv ? Csv() : Text(), 2, chunk, at_once), c.rows)
            << c.name << ", chunks of " << chunk << ", reads of " << at_once;
}

TEST(CopyReaderTest, AnEscapeThatIsNoQuote) {
  CopyOptions options;
  options.format = CopyFormat::kCsv;
  options.escape = "\\";
  EXPECT_EQ(ReadCopy("\"a\\\"b\",\"c\\\\\"\n\"\\x\",d\\\n", MakeCopySyntax(options).value(), 2),
            (std::vector<std::string>{"['a\"b']['c\\']", "['\\x']['d\\']"}));
}

TEST(CopyReaderTest, Latin1IsConverted) {
  CopyOptions options;
  options.format = CopyFormat::kCsv;
  options.encoding = "latin-1";
  EXPECT_EQ(ReadCopy("\xe4,\xff\n", MakeCopySyntax(options).value(), 2),
            std::vector<std::string>{"['ä']['ÿ']"});
}

TEST(CopyReaderTest, AHeaderIsNoRowAndMayHaveToMatch) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"a,b\n1,2\n", ""},
      {"\"a\",\"b\"\n1,2\n", ""},
      {"a,c\n", "column name mismatch in header line field 2: got \"c\", expected \"b\""},
      {"a,\n",
       "column name mismatch in header line field 2: got null value (\"\"), expected \"b\""},
      {"a\n", "wrong number of fields in header line: got 1, expected 2"},
      {"", ""},
  };
  CopySyntax syntax = Csv();
  syntax.header = CopyHeader::kMatch;
  constexpr std::string_view kColumns[] = {"a", "b"};
  for (const auto& c : cases) {
    MemorySource source(c.text);
    CopySplitter splitter(source, syntax);
    CopyChunk chunk;
    ASSERT_TRUE(splitter.Next(chunk));
    const Status status = CheckCopyHeader(splitter, syntax, kColumns);
    EXPECT_EQ(status ? "" : status.error().message, c.message) << c.text;
  }
  EXPECT_EQ(ReadCopy("a,b\n1,2\n", syntax, 2), std::vector<std::string>{"['1']['2']"});
}

TEST(CopyReaderTest, AFieldMayBeWiderThanAChunk) {
  for (const std::size_t size : {3'000'000, 20'000'000}) {
    const std::string wide(size, 'x');
    const std::vector<std::string> rows = ReadCopy("a,\"" + wide + "\"\nb,c\n", Csv(), 2);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_TRUE(rows[0] == "['a']['" + wide + "']");
    EXPECT_EQ(rows[1], "['b']['c']");
  }
}

TEST(StructuralIndexTest, AllInstructionsFindTheSame) {
  using internal::VectorUnit;
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    constexpr std::string_view kBytes = "a,\"\n\r\\\t\x80";
    std::string text(random() % 300, 'b');
    for (char& c : text)
      if (random() % 3 == 0) c = kBytes[random() % kBytes.size()];
    text.append(internal::kIndexPadding, '\0');
    const std::size_t size = text.size() - internal::kIndexPadding;
    for (const bool csv : {true, false}) {
      const auto index = [&](VectorUnit unit) {
        internal::StructuralIndex out;
        if (csv) {
          internal::IndexCsvWith(unit, text.data(), size, ',', '"', out);
        } else {
          internal::IndexTextWith(unit, text.data(), size, '\t', out);
        }
        out.separators.resize(out.count);
        out.specials.resize(out.special_count);
        return std::tuple(out.separators, out.specials, out.beyond_ascii);
      };
      const auto expected = index(VectorUnit::kPortable);
      for (const VectorUnit unit : {VectorUnit::kSse2, VectorUnit::kAvx2, VectorUnit::kBest}) {
        if (!internal::HasVectorUnit(unit)) continue;
        EXPECT_EQ(index(unit), expected);
      }
    }
  }
}

}  // namespace
}  // namespace relcache
