#include "relcache/tools/copy_arguments.h"

#include <utility>

#include "relcache/catalog/names.h"
#include "relcache/tools/open_source.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache::tools {
namespace {

/// Names separated by commas, as SQL spells them.
Result<std::vector<std::string>> ParseNames(const std::string& text) {
  std::vector<std::string> out;
  std::string part;
  bool quoted = false;
  const auto finish = [&]() -> Status {
    RELCACHE_ASSIGN(SqlName name, ParseQualifiedName(part));
    if (!name.schema.empty())
      return Fail(ErrorCode::kInvalidInput, "42602",
                  "\"" + part + "\" is not the name of a column");
    out.push_back(std::move(name.name));
    part.clear();
    return {};
  };
  if (text.empty()) return out;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      RELCACHE_TRY(finish());
    } else {
      part += c;
    }
  }
  RELCACHE_TRY(finish());
  return out;
}

/// \t and the like, which shells make hard to type.
std::string Unescaped(const std::string& text) {
  return text == "\\t" ? "\t" : text;
}

Result<SessionSettings> SettingsOf(const CopyArguments& arguments) {
  SessionSettings out;
  for (const std::string& setting : arguments.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      return Fail(ErrorCode::kInvalidInput, "22023", "--set expects NAME=VALUE, not " + setting);
    RELCACHE_TRY(SetSetting(out, setting.substr(0, equals), setting.substr(equals + 1)));
  }
  out.now = CurrentTimestamp();
  if (!arguments.now.empty()) {
    const ContextPtr cx = AllocSet::CreateRoot("command arguments");
    Result<Datum> now = TypeInput(kTimestamptzOid, -1, arguments.now, out, *cx);
    if (!now) return Fail(std::move(now).error().At("--now"));
    out.now = DatumGetInt64(*now);
  }
  out.statement_now = out.now;
  return out;
}

Result<CopyOptions> OptionsOf(const CopyArguments& arguments) {
  CopyOptions out;
  out.format = arguments.format == "csv" ? CopyFormat::kCsv : CopyFormat::kText;
  out.header = arguments.header_match ? CopyHeader::kMatch
               : arguments.header     ? CopyHeader::kSkip
                                      : CopyHeader::kNone;
  if (arguments.null_given->count() > 0) out.null_text = arguments.null_text;
  if (arguments.delimiter_given->count() > 0) out.delimiter = Unescaped(arguments.delimiter);
  if (arguments.quote_given->count() > 0) out.quote = arguments.quote;
  if (arguments.escape_given->count() > 0) out.escape = arguments.escape;
  out.encoding = arguments.encoding;
  RELCACHE_ASSIGN(out.columns, ParseNames(arguments.columns));
  RELCACHE_ASSIGN(out.force_null, ParseNames(arguments.force_null));
  RELCACHE_ASSIGN(out.force_not_null, ParseNames(arguments.force_not_null));
  return out;
}

}  // namespace

void AddCopyArguments(CLI::App& command, CopyArguments& a) {
  command.add_option("SOURCE", a.source, kSourceHelp)->required();
  command.add_option("RELATION", a.relation, "The table, as SQL spells its name")->required();
  command
      .add_option("ROWS", a.files,
                  "Files with rows as COPY reads them, also compressed by gzip or zstd; - is "
                  "standard input")
      ->required();
  command.add_option("--format", a.format, "csv or text, as COPY has them")
      ->capture_default_str()
      ->check(CLI::IsMember({"csv", "text"}));
  command.add_flag("--header", a.header, "Each file begins with a line of names");
  command.add_flag("--header-match", a.header_match,
                   "The same, and the names must be those of the columns");
  command.add_option("--columns", a.columns,
                     "The columns that the files have values for, separated by commas; others get "
                     "their defaults");
  a.null_given = command.add_option("--null", a.null_text,
                                    "What stands for NULL; nothing in csv, \\N in text");
  a.delimiter_given = command.add_option("--delimiter", a.delimiter,
                                         "What separates fields; a comma in csv, a tab in text");
  a.quote_given = command.add_option("--quote", a.quote, "What fields are quoted with (csv)");
  a.escape_given =
      command.add_option("--escape", a.escape, "What precedes a quote in a quoted field (csv)");
  command.add_option("--encoding", a.encoding, "The encoding of the files: UTF8 or LATIN1")
      ->capture_default_str();
  command.add_option("--force-null", a.force_null,
                     "Columns in which a quoted NULL text is NULL, too (csv)");
  command.add_option("--force-not-null", a.force_not_null,
                     "Columns in which the NULL text is a value (csv)");
  command.add_option("--set", a.settings,
                     "NAME=VALUE: TimeZone, DateStyle, IntervalStyle or search_path of the session "
                     "that would load the rows");
  command.add_option("--now", a.now, "The moment of the load; the present one if it is not given");
  command.add_flag("--skip-unsupported", a.skip_unsupported,
                   "Go on without what relcache does not support, and list it");
  command.add_option("--threads", a.threads, "How many threads to use; as many as there are cores");
  command.add_option("--sample", a.sample, "Read only so many rows of each file");
}

Result<CopyJob> MakeCopyJob(const CopyArguments& arguments, const RowCheckOptions& options) {
  CopyJob out;
  RELCACHE_ASSIGN(out.options, OptionsOf(arguments));
  RELCACHE_ASSIGN(out.syntax, MakeCopySyntax(out.options));
  RowCheckOptions checks = options;
  RELCACHE_ASSIGN(checks.settings, SettingsOf(arguments));
  if (arguments.skip_unsupported) checks.unsupported = UnsupportedConstraints::kSkip;
  RELCACHE_ASSIGN(out.source, OpenSource(arguments.source));
  out.cache = std::make_unique<RelationCache>(*out.source);
  RELCACHE_ASSIGN(out.relation, FindRelation(arguments.relation, *out.source));
  RELCACHE_ASSIGN(const RelationPin pin, out.cache->Open(out.relation));
  RELCACHE_ASSIGN(out.columns, ChooseCopyColumns(*pin, out.options));
  for (const AttrNumber attnum : out.columns.attnums)
    out.names.emplace_back(pin->attribute(attnum)->attname);
  RELCACHE_ASSIGN(out.checker, RowChecker::Make(*out.cache, out.relation, out.columns, checks));
  return out;
}

}  // namespace relcache::tools
