// What reading, copying, writing and comparing trees costs, per tree.
//
// K is job (the job's CHECK, 1 tree), checks (CHECK constraints of the corpus, up to 4 kB) or
// corpus (all its trees); one item is one tree. PostgreSQL's side is bench/postgres: its read of
// the job's tree takes some 1.3 us where ours should take a fifth of it, a copy a tenth of that.
//   Reparse/K        StringToNode into a context, and a reset
//   Copy/K           CopyTree of an image: a memory copy and an addition per pointer
//   CopyNodes/K      CopyObject, node by node
//   Write/K          NodeToString
//   Equal/K          of two trees that are equal
//   Memcpy/job       of the bytes of the job's image: what no copy can be faster than
//   RapidjsonParse/job   the same tree as JSON into a RapidJSON document, the usual way to keep a
//   tree as
//                    text: some three to five times of Reparse/job, for it makes a string of every
//                    name
#include <benchmark/benchmark.h>
#include <rapidjson/document.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/check.h"
#include "relcache/nodes/copy.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"
#include "relcache/tools/tree_file.h"

namespace relcache {
namespace {

// CHECK (c > 0 AND c <= 100000000), as PostgreSQL 15 stores it.
constexpr std::string_view kJob =
    "{BOOLEXPR :boolop and :args ({OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false "
    ":opcollid 0 :inputcollid 0 :args ({VAR :varno 1 :varattno 3 :vartype 23 :vartypmod -1 "
    ":varcollid 0 :varlevelsup 0 :varnosyn 1 :varattnosyn 3 :location 46} {CONST :consttype 23 "
    ":consttypmod -1 :constcollid 0 :constlen 4 :constbyval true :constisnull false :location 50 "
    ":constvalue 4 [ 0 0 0 0 0 0 0 0 ]}) :location 48} {OPEXPR :opno 523 :opfuncid 149 "
    ":opresulttype 16 :opretset false :opcollid 0 :inputcollid 0 :args ({VAR :varno 1 :varattno 3 "
    ":vartype 23 :vartypmod -1 :varcollid 0 :varlevelsup 0 :varnosyn 1 :varattnosyn 3 :location "
    "56} {CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true "
    ":constisnull false :location 61 :constvalue 4 [ 0 -31 -11 5 0 0 0 0 ]}) :location 58}) "
    ":location 52}";

constexpr TreeOptions kOptions{.pg_version = 15, .max_depth = 1'000'000};

// The trees of one K, as text, as trees and as images.
struct Trees {
  explicit Trees(std::vector<std::string> all) : texts(std::move(all)) {
    for (const std::string& text : texts) {
      trees.push_back(StringToNode(text, kOptions, *cx).value());
      others.push_back(StringToNode(text, kOptions, *cx).value());
      images.push_back(ReadTreeImage(text, kOptions, *cx).value());
    }
  }
  std::vector<std::string> texts;
  std::vector<const Node*> trees, others;
  std::vector<const TreeImage*> images;
  ContextPtr cx = Bump::CreateRoot("trees");
};

std::vector<std::string> FromCorpus(std::size_t longest, std::string_view beginning) {
  std::vector<std::string> texts;
  const Status read = tools::ForEachTree(RELCACHE_CORPUS, 15, [&](const tools::TreeLine& line) {
    if (line.tree.size() > longest || line.tree == "<>") return;
    if (line.tree.find("{QUERY") != std::string_view::npos && !beginning.empty()) return;
    texts.emplace_back(line.tree);
  });
  RELCACHE_CHECK(read.has_value());
  return texts;
}

const Trees& Of(std::string_view k) {
  static const Trees job({std::string(kJob)});
  static const Trees checks(FromCorpus(4096, "expressions"));
  static const Trees corpus(FromCorpus(SIZE_MAX, ""));
  return k == "job" ? job : k == "checks" ? checks : corpus;
}

// Runs call(i, cx) for every tree, each result given back by a reset.
template <class Call>
void ForEachTree(benchmark::State& state, std::size_t n, Call call) {
  const ContextPtr cx = Bump::CreateRoot("results");
  for (auto _ : state)
    for (std::size_t i = 0; i < n; ++i) {
      call(i, *cx);
      cx->Reset();
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

void Reparse(benchmark::State& state, const char* k) {
  const Trees& t = Of(k);
  ForEachTree(state, t.texts.size(), [&](std::size_t i, MemoryContext& cx) {
    benchmark::DoNotOptimize(StringToNode(t.texts[i], kOptions, cx));
  });
}
void Copy(benchmark::State& state, const char* k) {
  const Trees& t = Of(k);
  ForEachTree(state, t.texts.size(), [&](std::size_t i, MemoryContext& cx) {
    benchmark::DoNotOptimize(CopyTree(*t.images[i], cx));
  });
}
void CopyNodes(benchmark::State& state, const char* k) {
  const Trees& t = Of(k);
  ForEachTree(state, t.texts.size(), [&](std::size_t i, MemoryContext& cx) {
    benchmark::DoNotOptimize(CopyObject(*t.trees[i], cx));
  });
}
void Write(benchmark::State& state, const char* k) {
  const Trees& t = Of(k);
  ForEachTree(state, t.texts.size(), [&](std::size_t i, MemoryContext& cx) {
    benchmark::DoNotOptimize(NodeToString(t.trees[i], kOptions, cx));
  });
}
void EqualTrees(benchmark::State& state, const char* k) {
  const Trees& t = Of(k);
  ForEachTree(state, t.texts.size(), [&](std::size_t i, MemoryContext&) {
    benchmark::DoNotOptimize(Equal(t.trees[i], t.others[i]));
  });
}
void Memcpy(benchmark::State& state) {
  const TreeImage& image = *Of("job").images[0];
  ForEachTree(state, 1, [&](std::size_t, MemoryContext& cx) {
    void* to = cx.Allocate(image.tree_bytes());
    std::memcpy(to, &image + 1, image.tree_bytes());
    benchmark::DoNotOptimize(to);
    benchmark::ClobberMemory();
  });
}
void RapidjsonParse(benchmark::State& state) {
  const ContextPtr cx = Bump::CreateRoot("json");
  const std::string_view json = NodeToJson(Of("job").trees[0], kOptions, *cx).value();
  for (auto _ : state) {
    rapidjson::Document document;
    document.Parse(json.data(), json.size());
    benchmark::DoNotOptimize(document);
  }
  state.SetItemsProcessed(state.iterations());
}

void Register() {
  for (const char* k : {"job", "checks", "corpus"}) {
    const auto add = [k](const char* name, void (*run)(benchmark::State&, const char*)) {
      benchmark::RegisterBenchmark((std::string(name) + "/" + k).c_str(), run, k);
    };
    add("Reparse", Reparse);
    add("Copy", Copy);
    add("CopyNodes", CopyNodes);
    add("Write", Write);
    add("Equal", EqualTrees);
  }
  benchmark::RegisterBenchmark("Memcpy/job", Memcpy);
  benchmark::RegisterBenchmark("RapidjsonParse/job", RapidjsonParse);
}

}  // namespace
}  // namespace relcache

int main(int argc, char** argv) {
  relcache::Register();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
