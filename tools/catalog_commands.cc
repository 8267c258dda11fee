// relcache catalog show, relcache catalog import; and where `catalog checks` is added.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/internal/catalog_rows.h"
#include "relcache/catalog/internal/json_rows.h"
#include "relcache/catalog/names.h"
#include "relcache/tools/catalog_checks.h"
#include "relcache/tools/command.h"
#include "relcache/tools/json_line.h"
#include "relcache/tools/open_source.h"

namespace relcache::tools {
namespace {

int Report(const Error& error) {
  std::fprintf(stderr, "relcache: %s\n", error.ToString().c_str());
  return kExitUsage;
}

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string ConstraintKindName(char contype) {
  switch (contype) {
    case 'c':
      return "check";
    case 'p':
      return "primary key";
    case 'u':
      return "unique";
    case 'f':
      return "foreign key";
    case 'x':
      return "exclude";
    case 't':
      return "trigger";
    case 'n':
      return "not null";
    default:
      return std::string(1, contype);
  }
}

/// Names of columns by number, "(expression)" for 0.
std::string ColumnList(std::span<const AttrNumber> numbers, const RelationRows& rows) {
  std::string out = "(";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ", ";
    const AttrNumber n = numbers[i];
    if (n == 0) {
      out += "expression";
    } else if (n < 0 || static_cast<std::size_t>(n) > rows.attributes.size()) {
      out += std::to_string(n);
    } else {
      out += QuoteIdentifier(rows.attributes[static_cast<std::size_t>(n) - 1].attname);
    }
  }
  return out + ")";
}

/// A stored expression, on a line of its own below what has it.
std::string Tree(std::string_view name, std::string_view text) {
  if (text.empty()) return std::string();
  return "        " + std::string(name) + ": " + std::string(text) + "\n";
}

/// The name of a relation by its oid, for a list of parents or children.
Result<std::string> RelationNameOf(Oid oid, CatalogSource& source, MemoryContext& cx) {
  RELCACHE_ASSIGN(const RelationRows* rows, source.LoadRelation(oid, cx));
  if (rows == nullptr) return std::to_string(oid);
  return QuoteQualifiedIdentifier(rows->nspname, rows->pg_class.relname);
}

Result<std::string> Columns(const RelationRows& rows, CatalogSource& source) {
  std::string out;
  for (const AttributeRow& column : rows.attributes) {
    if (column.attisdropped) continue;
    RELCACHE_ASSIGN(const std::string type,
                    FormatTypeOf(column.atttypid, column.atttypmod, source));
    out += "    " + QuoteIdentifier(column.attname) + " " + type;
    if (column.attnotnull) out += " not null";
    if (column.attidentity != '\0') out += " identity";
    if (column.attgenerated != '\0') out += " generated";
    out += "\n";
    const auto def = std::ranges::find(rows.attrdefs, column.attnum, &AttrdefRow::adnum);
    if (def != rows.attrdefs.end()) out += Tree("adbin", def->adbin);
  }
  return out;
}

std::string Constraints(const RelationRows& rows) {
  std::string out;
  for (const ConstraintRow& row : rows.constraints) {
    out += "    " + ConstraintKindName(row.contype) + " " + QuoteIdentifier(row.conname);
    if (!row.conkey.empty()) out += " " + ColumnList(row.conkey, rows);
    if (row.connoinherit && row.contype == 'c') out += " no inherit";
    if (!row.convalidated) out += " not valid";
    if (!row.conenforced) out += " not enforced";
    out += "\n" + Tree("conbin", row.conbin);
  }
  return out;
}

std::string Indexes(const RelationRows& rows) {
  std::string out;
  for (const IndexRow& row : rows.indexes) {
    out += "    " + QuoteIdentifier(row.relname) + " " + std::string(row.amname) + " " +
           ColumnList(row.indkey, rows);
    if (row.indisprimary) out += " primary key";
    if (row.indisunique && !row.indisprimary) out += " unique";
    if (!row.indisvalid) out += " invalid";
    out += "\n" + Tree("indexprs", row.indexprs) + Tree("indpred", row.indpred);
  }
  return out;
}

Result<std::string> Triggers(const RelationRows& rows, CatalogSource& source) {
  std::string out;
  for (const TriggerRow& row : rows.triggers) {
    if (row.tgisinternal) continue;
    RELCACHE_ASSIGN(const std::string function, FormatProcOf(row.tgfoid, source));
    out += "    " + QuoteIdentifier(row.tgname);
    // The bits of tgtype (TRIGGER_TYPE_ROW and those after it in pg_trigger.h).
    out += (row.tgtype & 64) != 0 ? " instead of" : (row.tgtype & 2) != 0 ? " before" : " after";
    if ((row.tgtype & 4) != 0) out += " insert";
    if ((row.tgtype & 16) != 0) out += " update";
    if ((row.tgtype & 8) != 0) out += " delete";
    if ((row.tgtype & 32) != 0) out += " truncate";
    out += (row.tgtype & 1) != 0 ? " for each row" : " for each statement";
    if (row.tgenabled == 'D') out += " disabled";
    out += " " + function + "\n" + Tree("tgqual", row.tgqual);
  }
  return out;
}

Result<std::string> Describe(const RelationRows& rows, CatalogSource& source, MemoryContext& cx) {
  std::string out =
      Format("{} {} (oid {})\n", RelationKindName(rows.pg_class.relkind),
             QuoteQualifiedIdentifier(rows.nspname, rows.pg_class.relname), rows.pg_class.oid);
  const auto section = [&](const char* title, const std::string& text) {
    if (!text.empty()) out += "  " + std::string(title) + ":\n" + text;
  };
  RELCACHE_ASSIGN(const std::string columns, Columns(rows, source));
  RELCACHE_ASSIGN(const std::string triggers, Triggers(rows, source));
  section("columns", columns);
  section("constraints", Constraints(rows));
  section("indexes", Indexes(rows));
  section("triggers", triggers);
  std::string text;
  for (const RewriteRow& row : rows.rules) {
    text += "    " + QuoteIdentifier(row.rulename) + "\n" + Tree("ev_qual", row.ev_qual) +
            Tree("ev_action", row.ev_action);
  }
  section("rules", text);
  text.clear();
  for (const PolicyRow& row : rows.policies) {
    text += "    " + QuoteIdentifier(row.polname) + "\n" + Tree("polqual", row.polqual) +
            Tree("polwithcheck", row.polwithcheck);
  }
  section("policies", text);
  text.clear();
  for (const StatisticExtRow& row : rows.statistics) {
    text += "    " + QuoteIdentifier(row.stxname) + " " + ColumnList(row.stxkeys, rows) + "\n" +
            Tree("stxexprs", row.stxexprs);
  }
  section("statistics", text);
  if (const PartitionedTableRow* key = rows.partitioned_table) {
    const char* strategy = key->partstrat == 'h'   ? "hash"
                           : key->partstrat == 'l' ? "list"
                                                   : "range";
    section("partition key", "    " + std::string(strategy) + " " +
                                 ColumnList(key->partattrs, rows) + "\n" +
                                 Tree("partexprs", key->partexprs));
  }
  section("partition bound", Tree("relpartbound", rows.pg_class.relpartbound));
  text.clear();
  for (const InheritsRow& row : rows.parents) {
    RELCACHE_ASSIGN(const std::string name, RelationNameOf(row.inhparent, source, cx));
    text += "    " + name + "\n";
  }
  section("parents", text);
  text.clear();
  for (const InheritsRow& row : rows.children) {
    RELCACHE_ASSIGN(const std::string name, RelationNameOf(row.inhrelid, source, cx));
    text += "    " + name + "\n";
  }
  section("children", text);
  return out;
}

std::string Summary(const RelationRows& rows) {
  const auto checks = std::ranges::count(rows.constraints, 'c', &ConstraintRow::contype);
  std::string out =
      Format("{}  {}, {} columns", QuoteQualifiedIdentifier(rows.nspname, rows.pg_class.relname),
             RelationKindName(rows.pg_class.relkind),
             std::ranges::count(rows.attributes, false, &AttributeRow::attisdropped));
  const auto add = [&](std::size_t n, const char* one, const char* many) {
    if (n != 0) out += Format(", {} {}", n, n == 1 ? one : many);
  };
  add(static_cast<std::size_t>(checks), "check", "checks");
  if (rows.pg_class.relkind != 'i' && rows.pg_class.relkind != 'I') {
    add(rows.indexes.size(), "index", "indexes");
  }
  add(static_cast<std::size_t>(std::ranges::count(rows.triggers, false, &TriggerRow::tgisinternal)),
      "trigger", "triggers");
  add(rows.children.size(), "child", "children");
  return out + "\n";
}

/// A relation's rows as one line of JSON.
Result<std::string> LineOfJson(const RelationRows& rows) {
  RELCACHE_ASSIGN(std::string text, RelationToJson(rows));
  std::erase(text, '\n');
  return text + "\n";
}

struct ShowOptions {
  std::string source;
  std::string relation;
  bool json = false;
  bool stats = false;
};

/// What the relations cost a cache: each is opened, all its expressions are read once, and what
/// then stands in the cache is counted. An expression that cannot be read is named and does not
/// stop it. Returns kExitViolations if there was one.
Result<ExitStatus> ShowStats(const ShowOptions& options, std::span<const Oid> oids,
                             CatalogSource& source) {
  CacheOptions cache_options;
  // Nothing is to be evicted while it is counted.
  cache_options.budget_bytes = std::size_t{1} << 40;
  cache_options.names = oids.size() + 1;
  RelationCache cache(source, cache_options);
  RELCACHE_TRY(cache.Warm(oids));
  const std::size_t before = cache.stats().bytes;
  std::size_t expressions = 0;
  std::size_t unreadable = 0;
  for (const Oid oid : oids) {
    RELCACHE_ASSIGN(const RelationPin pin, cache.Open(oid));
    for (const ExpressionSlot& slot : pin->expressions()) {
      ++expressions;
      const auto tree = slot.Get();
      if (tree) continue;
      ++unreadable;
      std::fprintf(stderr, "relcache: %s: %s\n",
                   QuoteQualifiedIdentifier(pin->schema(), pin->name()).c_str(),
                   tree.error().ToString().c_str());
    }
  }
  const CacheStats stats = cache.stats();
  constexpr CacheFigure kShown[] = {
      CacheFigureNamed("bytes"),      CacheFigureNamed("table_bytes"),
      CacheFigureNamed("name_bytes"), CacheFigureNamed("negative_bytes"),
      CacheFigureNamed("pin_bytes"),  CacheFigureNamed("indexed_dependencies"),
      CacheFigureNamed("loads"),      CacheFigureNamed("hits"),
      CacheFigureNamed("evicted"),    CacheFigureNamed("membarrier"),
  };
  std::vector<std::pair<std::string_view, std::uint64_t>> figures = {
      {"relations", stats.entries},
      {"expressions", expressions},
      {"unreadable_expressions", unreadable},
      {"bytes_before_first_use", before},
  };
  for (const CacheFigure& figure : kShown) figures.emplace_back(figure.name, figure.value(stats));
  if (options.json) {
    JsonLine line;
    line.Object("stats", [&] {
      for (const auto& [name, value] : figures) line.Integer(name, value);
    });
    line.Print();
  } else {
    std::string out = "cache, after each expression was read once:\n";
    for (const auto& [name, value] : figures) out += Format("    {} {}\n", name, value);
    Print(out);
  }
  return unreadable == 0 ? kExitFine : kExitViolations;
}

Result<ExitStatus> ShowOne(const ShowOptions& options, CatalogSource& source, MemoryContext& cx) {
  RELCACHE_ASSIGN(const Oid oid, FindRelation(options.relation, source));
  RELCACHE_ASSIGN(const RelationRows* rows, source.LoadRelation(oid, cx));
  if (rows == nullptr) {
    return Fail(ErrorCode::kNotFound, "42P01",
                "relation \"" + options.relation + "\" does not exist");
  }
  RELCACHE_ASSIGN(const std::string text,
                  options.json ? LineOfJson(*rows) : Describe(*rows, source, cx));
  Print(text);
  return options.stats ? ShowStats(options, {&oid, 1}, source) : kExitFine;
}

Result<ExitStatus> ShowAll(const ShowOptions& options, CatalogSource& source, MemoryContext& cx) {
  const ServerInfo& info = source.info();
  if (!options.json) {
    Print(Format("PostgreSQL {}.{}, encoding {}, default collation {}\n",
                 info.server_version_num / 10000, info.server_version_num % 10000,
                 info.server_encoding, info.datlocale.empty() ? info.datcollate : info.datlocale));
  }
  RELCACHE_ASSIGN(const std::span<const RelationName> names, source.ListRelations(cx));
  std::vector<Oid> oids;
  for (const RelationName& name : names) {
    oids.push_back(name.oid);
    const ContextPtr one = Bump::CreateRoot("catalog show");
    RELCACHE_ASSIGN(const RelationRows* rows, source.LoadRelation(name.oid, *one));
    if (rows == nullptr) continue;
    RELCACHE_ASSIGN(const std::string text,
                    options.json ? LineOfJson(*rows) : Result<std::string>(Summary(*rows)));
    Print(text);
  }
  return options.stats ? ShowStats(options, oids, source) : kExitFine;
}

int Show(const ShowOptions& options) {
  auto source = OpenSource(options.source);
  if (!source) return Report(source.error());
  const ContextPtr cx = Bump::CreateRoot("catalog show");
  const Result<ExitStatus> status =
      options.relation.empty() ? ShowAll(options, **source, *cx) : ShowOne(options, **source, *cx);
  return status ? *status : Report(status.error());
}

struct ImportOptions {
  std::string source;
  std::string out;
  bool skip_unsupported = false;
};

// Written to a file beside the target first, so that a full disk does not destroy the existing
// snapshot. A target that is not a regular file (/dev/stdout, a link) is written directly.
Status WriteFile(const std::string& path, const std::string& text) {
  std::error_code unknown;
  const auto kind = std::filesystem::symlink_status(path, unknown).type();
  const bool replaces =
      kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular;
  const std::string to = replaces ? path + ".new" : path;
  const auto fail = [&](const char* what) {
    const int number = errno;
    if (replaces) std::filesystem::remove(to, unknown);
    return Fail(
        Error(ErrorCode::kIo, "58030", std::string(what) + ": " + std::strerror(number)).At(path));
  };
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(to.c_str(), "wb"), std::fclose);
  if (file == nullptr) return fail("could not open file");
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
    return fail("could not write file");
  if (std::fclose(file.release()) != 0) return fail("could not write file");
  if (replaces && std::rename(to.c_str(), path.c_str()) != 0) return fail("could not write file");
  return {};
}

Status ImportInto(const ImportOptions& options) {
  RELCACHE_ASSIGN(const std::unique_ptr<CatalogSource> source, OpenSource(options.source));
  const ContextPtr cx = Bump::CreateRoot("catalog import");
  RELCACHE_ASSIGN(const CatalogRows rows, ExportCatalog(*source, *cx));
  RELCACHE_ASSIGN(const std::string text, CatalogToJson(rows));
  RELCACHE_TRY(WriteFile(options.out, text));
  Print(Format("{} relations, {} types, {} functions, {} operators, {} bytes\n",
               rows.relations.size(), rows.types.size(), rows.procs.size(), rows.operators.size(),
               text.size()));
  return {};
}

int Import(const ImportOptions& options) {
  const Status status = ImportInto(options);
  return status ? kExitFine : Report(status.error());
}

}  // namespace

void AddCatalogCommands(CLI::App& app, Outcome& outcome) {
  CLI::App* catalog = app.add_subcommand("catalog", "Show and import catalogs");
  catalog->require_subcommand(1);

  CLI::App* show = catalog->add_subcommand("show", "Show the contents of a catalog");
  show->footer("Example: relcache catalog show sample measurement_1");
  const auto show_options = std::make_shared<ShowOptions>();
  show->add_option("SOURCE", show_options->source, kSourceHelp)->required();
  show->add_option("RELATION", show_options->relation,
                   "Name or schema.name, quoted as in SQL; without it, one line for each relation");
  show->add_flag("--json", show_options->json,
                 "Print the catalog rows of each relation, one JSON object a line");
  show->add_flag("--stats", show_options->stats,
                 "Print what the relations cost a cache after each expression was read once");
  show->callback([show_options, &outcome] { outcome.status = Show(*show_options); });

  CLI::App* checks = catalog->add_subcommand(
      "checks", "Say which stored expressions can be evaluated, and why the others cannot");
  checks->footer("Example: relcache catalog checks sample measurement_1");
  const auto checks_options = std::make_shared<CatalogChecksOptions>();
  checks->add_option("SOURCE", checks_options->source, kSourceHelp)->required();
  checks->add_option("RELATION", checks_options->relation,
                     "Name or schema.name, quoted as in SQL; without it, all relations");
  checks->add_flag("--json", checks_options->json,
                   "Print one JSON object a line for each expression, and one with the summary");
  checks->callback([checks_options, &outcome] { outcome.status = CatalogChecks(*checks_options); });

  CLI::App* copy = catalog->add_subcommand("import", "Copy a catalog into a snapshot file");
  copy->footer("Example: relcache catalog import sample --out sample.json");
  const auto import_options = std::make_shared<ImportOptions>();
  copy->add_option("SOURCE", import_options->source, kSourceHelp)->required();
  copy->add_option("--out", import_options->out, "The file to write")
      ->required()
      ->option_text("FILE.json");
  copy->add_flag("--skip-unsupported", import_options->skip_unsupported,
                 "Omit objects that cannot be expressed; a snapshot can express all of them");
  copy->callback([import_options, &outcome] { outcome.status = Import(*import_options); });
}

}  // namespace relcache::tools
