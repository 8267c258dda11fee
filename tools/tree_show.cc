// relcache tree show: trees in a form for people or other tools.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/nodes/print.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/walk.h"
#include "relcache/nodes/write.h"
#include "relcache/tools/tree_commands.h"
#include "relcache/tools/tree_file.h"
#include "relcache/types/builtin_types.h"

namespace relcache::tools {
namespace {

/// A tree without a catalog: what is not built in is not there.
class NoObjects final : public ObjectLookup {
 public:
  explicit NoObjects(int pg_version) { info_.server_version_num = pg_version * 10000; }
  Result<const TypeRows*> FindType(Oid) override { return nullptr; }
  Result<const ProcRow*> FindProc(Oid) override { return nullptr; }
  Result<const OperatorRow*> FindOperator(Oid) override { return nullptr; }
  Result<const CollationRow*> FindCollation(Oid) override { return nullptr; }
  const ServerInfo& info() const override { return info_; }

 private:
  ServerInfo info_;
};

/// The columns that a tree names, as it names them; those between are taken for dropped ones. A
/// second relation's (varno 2: NEW in a trigger's WHEN) stand in `second`.
void ColumnsOf(const Node* tree, std::vector<InputColumn>& first,
               std::vector<InputColumn>& second) {
  TreeWalker walker(tree);
  while (const Node* node = walker.Next()) {
    const auto* var = As<Var>(node);
    if (var == nullptr || var->varattno <= 0) continue;
    std::vector<InputColumn>& columns = var->varno == 2 ? second : first;
    const auto at = static_cast<std::size_t>(var->varattno) - 1;
    while (columns.size() <= at) {
      columns.emplace_back().dropped = true;
    }
    InputColumn& column = columns[at];
    column.dropped = false;
    column.type = var->vartype;
    if (const TypeInfo* info = FindTypeInfo(var->vartype)) {
      column.typlen = info->typlen;
      column.typbyval = info->typbyval;
    }
  }
}

Result<std::string> ShowProgram(const Node* tree, int pg_version, MemoryContext& cx) {
  if (tree == nullptr)
    return Fail(ErrorCode::kInvalidInput, "XX000", "there is no expression to compile");
  std::vector<InputColumn> first, second;
  ColumnsOf(tree, first, second);
  NoObjects objects(pg_version);
  CompileOptions options;
  options.columns = first;
  options.second_columns = second;
  options.objects = &objects;
  RELCACHE_ASSIGN(const Program* program, Compile(*tree, options, cx));
  return program->ToString();
}

Result<std::string> Show(const std::string& form, std::string_view text, int pg_version) {
  const ContextPtr context = Bump::CreateRoot("tree show");
  TreeOptions options{.pg_version = pg_version};
  options.max_depth = 10'000'000;  // the stack decides
  RELCACHE_ASSIGN(const Node* tree, StringToNode(text, options, *context));
  if (form == "json") {
    RELCACHE_ASSIGN(const std::string_view json, NodeToJson(tree, options, *context));
    return std::string(json) + "\n";
  }
  if (form == "dot") return NodeToDot(tree);
  if (form == "program") return ShowProgram(tree, pg_version, *context);
  return NodeToText(tree);
}

// JSON lines begin with {"; a tree never does.
bool HoldsJsonLines(std::string_view content) {
  const std::size_t brace = content.find_first_not_of(" \t\r\n");
  if (brace == std::string_view::npos || content[brace] != '{') return false;
  const std::size_t next = content.find_first_not_of(" \t\r\n", brace + 1);
  return next != std::string_view::npos && content[next] == '"';
}

// Whether the first of several lines is a tree by itself; a single tree may span lines, too.
bool HoldsTreeLines(std::string_view content, int pg_version) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  content.remove_prefix(first);
  const std::size_t end = content.find('\n');
  if (end == std::string_view::npos ||
      content.find_first_not_of(" \t\r\n", end) == std::string_view::npos)
    return false;
  const ContextPtr context = Bump::CreateRoot("tree show");
  TreeOptions options{.pg_version = pg_version};
  options.max_depth = 10'000'000;
  const std::string_view line = content.substr(0, content.find_last_not_of(" \t\r", end - 1) + 1);
  return StringToNode(line, options, *context).has_value();
}

}  // namespace

int TreeShow(const TreeShowOptions& options) {
  if (options.form == "sql") {
    std::fputs("relcache: not supported: trees as SQL in this build\n", stderr);
    return kExitUsage;
  }
  int status = kExitFine;
  const auto show = [&](const std::string& place, std::string_view text, int version) {
    Result<std::string> shown = Show(options.form, text, version);
    if (shown) {
      std::fwrite(shown->data(), 1, shown->size(), stdout);
    } else {
      const Error error = std::move(shown).error().At(place);
      std::fprintf(stderr, "relcache: %s\n", error.ToString().c_str());
      status = kExitViolations;
    }
  };
  Result<std::string> content = ReadWholeFile(options.file);
  Status read;
  if (content && (HoldsJsonLines(*content) || HoldsTreeLines(*content, options.pg_version))) {
    read = ForEachTreeIn(*content, options.file, options.pg_version, [&](const TreeLine& line) {
      show(Format("{}:{}", options.file, line.line), line.tree, line.pg_version);
    });
  } else if (content) {
    const std::size_t last = content->find_last_not_of(" \t\r\n");
    content->resize(last == std::string::npos ? 0 : last + 1);
    show(options.file, *content, options.pg_version);
  }
  if (!content || !read) {
    const Error& error = content ? read.error() : content.error();
    std::fprintf(stderr, "relcache: %s\n", error.ToString().c_str());
    return kExitUsage;
  }
  return status;
}

}  // namespace relcache::tools
