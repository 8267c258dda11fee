// Runs the relcache command as its users run it, in a directory with some files.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace relcache::test {

inline constexpr const char* kBoolConst =
    "{CONST :consttype 16 :consttypmod -1 :constcollid 0 :constlen 1 :constbyval true :constisnull "
    "false :location -1 :constvalue 1 [ 1 0 0 0 0 0 0 0 ]}";

struct Outcome {
  int status = -1;
  std::string out, err;
};

inline std::string Content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Runs a line of shell in a directory of its own, where these files are: tree.txt (one tree),
/// comparison.txt (c3 > 7), trees.jsonl (three trees, of 10, 15 and the default version),
/// trees.jsonl.gz, empty.
class Shell {
 public:
  Shell() {
    std::string directory = testing::TempDir() + "relcache_command_XXXXXX";
    directory_ = mkdtemp(directory.data());
    const std::string tree = kBoolConst;
    Write("tree.txt", tree + "\n");
    Write("comparison.txt",
          "{OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false :opcollid 0 "
          ":inputcollid 0 :args ({VAR :varno 1 :varattno 3 :vartype 23 :vartypmod -1 :varcollid 0 "
          ":varlevelsup 0 :varnosyn 1 :varattnosyn 3 :location -1} {CONST :consttype 23 "
          ":consttypmod -1 :constcollid 0 :constlen 4 :constbyval true :constisnull false "
          ":location -1 :constvalue 4 [ 7 0 0 0 0 0 0 0 ]}) :location -1}\n");
    Write("trees.jsonl", "{\"pg\": 10, \"tree\": \"" + tree + "\"}\n{\"tree\": \"" + tree +
                             "\", \"pg\": 15, \"other\": null}\n\n{\"tree\": \"<>\"}\n");
    Write("empty", "");
    const Outcome packed = Run("gzip -c trees.jsonl > trees.jsonl.gz");
    EXPECT_EQ(packed.status, 0) << packed.err;
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() { std::filesystem::remove_all(directory_); }

  Outcome Run(const std::string& script) {
    Write("script", "cd '" + directory_.string() +
                        "' && PATH=\"" RELCACHE_COMMAND_DIRECTORY
                        ":$PATH\" && DATA='" RELCACHE_TEST_DATA "'\n" +
                        script + "\n");
    const std::string at = directory_.string() + "/";
    const int status = std::system(
        ("sh '" + at + "script' >'" + at + "out' 2>'" + at + "err' </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status),
            Content(directory_ / "out"), Content(directory_ / "err")};
  }
  void Write(const char* name, const std::string& text) {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }

 private:
  std::filesystem::path directory_;
};

template <class T>
std::string NameOf(const testing::TestParamInfo<T>& info) {
  return info.param.name;
}

}  // namespace relcache::test
