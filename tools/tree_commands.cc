#include "relcache/tools/tree_commands.h"

#include <memory>

namespace relcache::tools {
namespace {

constexpr const char* kVersionHelp = "Version of trees that do not say their own: 10 to 18";

void AddVerify(CLI::App& tree, Outcome& outcome) {
  const auto options = std::make_shared<TreeVerifyOptions>();
  CLI::App* command = tree.add_subcommand(
      "verify", "Read every tree, write it back and compare the bytes; copy it and compare");
  command->add_option("--pg-version", options->pg_version, kVersionHelp)->capture_default_str();
  command->add_option("FILE", options->files, "Files of trees (.jsonl, .jsonl.gz), or -")
      ->required();
  command->footer("Example: relcache tree verify tests/data/corpus/pg15.jsonl.gz");
  command->callback([options, &outcome] { outcome.status = TreeVerify(*options); });
}

void AddBench(CLI::App& tree, Outcome& outcome) {
  const auto options = std::make_shared<TreeBenchOptions>();
  CLI::App* command = tree.add_subcommand(
      "bench", "Time reading, copying, writing and comparing the trees of a file");
  command->add_option("--pg-version", options->pg_version, kVersionHelp)->capture_default_str();
  command->add_option("--ops", options->ops, "Which of read, copy, write, equal")
      ->delimiter(',')
      ->check(CLI::IsMember({"read", "copy", "write", "equal"}));
  command->add_option("--repeat", options->repeat, "How often in a row each tree is treated")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("FILE", options->file, "A file of trees (.jsonl, .jsonl.gz), or -")
      ->required();
  command->footer("Example: relcache tree bench tests/data/corpus/pg15.jsonl.gz --ops read,copy");
  command->callback([options, &outcome] { outcome.status = TreeBench(*options); });
}

}  // namespace

void AddTreeCommands(CLI::App& app, Outcome& outcome) {
  CLI::App* tree = app.add_subcommand("tree", "Node trees: verify, time them");
  tree->require_subcommand(1);
  AddVerify(*tree, outcome);
  AddBench(*tree, outcome);
}

}  // namespace relcache::tools
