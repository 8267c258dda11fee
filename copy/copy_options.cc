#include "relcache/copy/copy_options.h"

#include <algorithm>
#include <string_view>

#include "relcache/base/internal/format.h"

namespace relcache {
namespace {

Error Wrong(std::string_view sqlstate, std::string message) {
  return {ErrorCode::kInvalidInput, sqlstate, std::move(message)};
}
constexpr std::string_view kNotAvailable = "0A000", kBadValue = "22023";

bool HasLineEnd(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

/// pg_char_to_encoding: the case of the name and its punctuation do not matter.
std::string PlainName(std::string_view encoding) {
  std::string out;
  for (const char c : encoding) {
    if (c >= 'a' && c <= 'z') out += static_cast<char>(c - 'a' + 'A');
    if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

Result<CopyEncoding> EncodingOf(const std::string& name) {
  const std::string plain = PlainName(name);
  if (plain == "UTF8" || plain == "UNICODE" || plain == "SQLASCII") return CopyEncoding::kUtf8;
  if (plain == "LATIN1" || plain == "ISO88591") return CopyEncoding::kLatin1;
  static constexpr std::string_view kOthers[] = {
      "ABC",         "ALT",          "BIG5",        "EUCCN",        "EUCJIS2004",  "EUCJP",
      "EUCKR",       "EUCTW",        "GB18030",     "GBK",          "ISO88592",    "ISO88593",
      "ISO88594",    "ISO88595",     "ISO88596",    "ISO88597",     "ISO88598",    "ISO88599",
      "ISO885910",   "ISO885913",    "ISO885914",   "ISO885915",    "ISO885916",   "JOHAB",
      "KOI8",        "KOI8R",        "KOI8U",       "LATIN10",      "LATIN2",      "LATIN3",
      "LATIN4",      "LATIN5",       "LATIN6",      "LATIN7",       "LATIN8",      "LATIN9",
      "MSKANJI",     "MULEINTERNAL", "SHIFTJIS",    "SHIFTJIS2004", "SJIS",        "TCVN",
      "TCVN5712",    "UHC",          "VSCII",       "WIN",          "WIN1250",     "WIN1251",
      "WIN1252",     "WIN1253",      "WIN1254",     "WIN1255",      "WIN1256",     "WIN1257",
      "WIN1258",     "WIN866",       "WIN874",      "WIN932",       "WIN936",      "WIN949",
      "WIN950",      "WINDOWS1250",  "WINDOWS1251", "WINDOWS1252",  "WINDOWS1253", "WINDOWS1254",
      "WINDOWS1255", "WINDOWS1256",  "WINDOWS1257", "WINDOWS1258",  "WINDOWS866",  "WINDOWS874",
      "WINDOWS932",  "WINDOWS936",   "WINDOWS949",  "WINDOWS950"};
  if (std::ranges::find(kOthers, plain) != std::end(kOthers))
    return Fail(NotSupported("ENCODING " + name + " of a file"));
  return Fail(Wrong(kBadValue, "argument to option \"encoding\" must be a valid encoding name"));
}

Status CheckDelimiter(const CopyOptions& options, const CopySyntax& syntax) {
  const std::string text = options.delimiter.value_or(syntax.csv ? "," : "\t");
  if (text.size() != 1)
    return Fail(Wrong(kNotAvailable, "COPY delimiter must be a single one-byte character"));
  if (HasLineEnd(text))
    return Fail(Wrong(kBadValue, "COPY delimiter cannot be newline or carriage return"));
  if (HasLineEnd(syntax.null_text))
    return Fail(Wrong(kBadValue, "COPY null representation cannot use newline or carriage return"));
  // What begins an escape, and what NULL or an escape in text could be made of.
  constexpr std::string_view kRefused = "\\.abcdefghijklmnopqrstuvwxyz0123456789";
  if (!syntax.csv && kRefused.find(text[0]) != std::string_view::npos)
    return Fail(Wrong(kBadValue, Format("COPY delimiter cannot be \"{}\"", text)));
  return {};
}

Status CheckQuotes(const CopyOptions& options, const CopySyntax& syntax) {
  if (!syntax.csv && options.quote)
    return Fail(Wrong(kNotAvailable, "COPY quote available only in CSV mode"));
  if (options.quote && options.quote->size() != 1)
    return Fail(Wrong(kNotAvailable, "COPY quote must be a single one-byte character"));
  if (syntax.csv && syntax.delimiter == syntax.quote)
    return Fail(Wrong(kBadValue, "COPY delimiter and quote must be different"));
  if (!syntax.csv && options.escape)
    return Fail(Wrong(kNotAvailable, "COPY escape available only in CSV mode"));
  if (options.escape && options.escape->size() != 1)
    return Fail(Wrong(kNotAvailable, "COPY escape must be a single one-byte character"));
  if (!syntax.csv && !options.force_not_null.empty())
    return Fail(Wrong(kNotAvailable, "COPY force not null available only in CSV mode"));
  if (!syntax.csv && !options.force_null.empty())
    return Fail(Wrong(kNotAvailable, "COPY force null available only in CSV mode"));
  if (syntax.null_text.find(syntax.delimiter) != std::string::npos)
    return Fail(Wrong(kNotAvailable, "COPY delimiter must not appear in the NULL specification"));
  if (syntax.csv && syntax.null_text.find(syntax.quote) != std::string::npos)
    return Fail(
        Wrong(kNotAvailable, "CSV quote character must not appear in the NULL specification"));
  return {};
}

Result<AttrNumber> FindColumn(const RelationDescriptor& relation, const std::string& name) {
  const AttributeRow* column = relation.attribute(name);
  if (column == nullptr)
    return Fail(ErrorCode::kNotFound, "42703",
                Format("column \"{}\" of relation \"{}\" does not exist", name, relation.name()));
  if (column->attgenerated != '\0')
    return Fail(Wrong("42P10", Format("column \"{}\" is a generated column", name))
                    .WithDetail("Generated columns cannot be used in COPY."));
  return column->attnum;
}

Result<std::vector<bool>> Forced(const RelationDescriptor& relation, const CopyColumns& columns,
                                 const std::vector<std::string>& names, std::string_view option) {
  std::vector<bool> out(columns.attnums.size());
  for (const std::string& name : names) {
    RELCACHE_ASSIGN(const AttrNumber attnum, FindColumn(relation, name));
    const auto found = std::ranges::find(columns.attnums, attnum);
    if (found == columns.attnums.end())
      return Fail(Wrong("42P10", Format("{} column \"{}\" not referenced by COPY", option, name)));
    out[static_cast<std::size_t>(found - columns.attnums.begin())] = true;
  }
  return out;
}

}  // namespace

Result<CopySyntax> MakeCopySyntax(const CopyOptions& options) {
  CopySyntax out;
  out.csv = options.format == CopyFormat::kCsv;
  out.header = options.header;
  RELCACHE_ASSIGN(out.encoding, EncodingOf(options.encoding));
  out.null_text = options.null_text.value_or(out.csv ? "" : "\\N");
  RELCACHE_TRY(CheckDelimiter(options, out));
  out.delimiter = options.delimiter.value_or(out.csv ? "," : "\t")[0];
  if (options.quote && options.quote->size() == 1) out.quote = (*options.quote)[0];
  out.escape = options.escape && options.escape->size() == 1 ? (*options.escape)[0] : out.quote;
  RELCACHE_TRY(CheckQuotes(options, out));
  return out;
}

Result<CopyColumns> ChooseCopyColumns(const RelationDescriptor& relation,
                                      const CopyOptions& options) {
  CopyColumns out;
  out.null_text = options.null_text.value_or(options.format == CopyFormat::kCsv ? "" : "\\N");
  if (options.columns.empty()) {
    for (const AttributeRow& column : relation.attributes())
      if (!column.attisdropped && column.attgenerated == '\0') out.attnums.push_back(column.attnum);
  }
  for (const std::string& name : options.columns) {
    RELCACHE_ASSIGN(const AttrNumber attnum, FindColumn(relation, name));
    if (std::ranges::find(out.attnums, attnum) != out.attnums.end())
      return Fail(Wrong("42701", Format("column \"{}\" specified more than once", name)));
    out.attnums.push_back(attnum);
  }
  RELCACHE_ASSIGN(out.force_not_null,
                  Forced(relation, out, options.force_not_null, "FORCE_NOT_NULL"));
  RELCACHE_ASSIGN(out.force_null, Forced(relation, out, options.force_null, "FORCE_NULL"));
  return out;
}

}  // namespace relcache
