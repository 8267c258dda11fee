#include "relcache/tools/tree_commands.h"

#include <memory>

#include "relcache/nodes/tree_options.h"

namespace relcache::tools {
namespace {

void AddPgVersion(CLI::App& command, int& pg_version) {
  command
      .add_option("--pg-version", pg_version,
                  "The version of PostgreSQL for trees that do not state one")
      ->capture_default_str()
      ->check(CLI::Range(kOldestPgVersion, kNewestPgVersion));
}

void AddVerify(CLI::App& tree, Outcome& outcome) {
  const auto options = std::make_shared<TreeVerifyOptions>();
  CLI::App* command = tree.add_subcommand(
      "verify",
      "Read each tree, write it back and compare the bytes; copy it and compare the copy");
  AddPgVersion(*command, options->pg_version);
  command
      ->add_option("FILE", options->files,
                   "Files with one tree a line, plain or as JSON objects, also compressed by gzip; "
                   "- is standard "
                   "input")
      ->required();
  command->footer("Example: relcache tree verify tests/data/corpus/pg15.jsonl.gz");
  command->callback([options, &outcome] { outcome.status = TreeVerify(*options); });
}

void AddShow(CLI::App& tree, Outcome& outcome) {
  const auto options = std::make_shared<TreeShowOptions>();
  CLI::App* command = tree.add_subcommand(
      "show", "Print trees as indented text, as JSON, as a graph or as a program");
  AddPgVersion(*command, options->pg_version);
  command
      ->add_option("--as", options->form,
                   "text, json, sql (not in this build), dot (for Graphviz), or program (the "
                   "instructions that "
                   "the tree is compiled to)")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json", "sql", "dot", "program"}));
  command
      ->add_option("FILE", options->file,
                   "A file with one tree, or with one tree a line; - is standard input")
      ->capture_default_str();
  command->footer(
      "Example: psql -Atc 'select conbin from pg_constraint where oid = 16400' | "
      "relcache tree show --as dot | dot -Tsvg");
  command->callback([options, &outcome] { outcome.status = TreeShow(*options); });
}

void AddBench(CLI::App& tree, Outcome& outcome) {
  const auto options = std::make_shared<TreeBenchOptions>();
  CLI::App* command = tree.add_subcommand(
      "bench", "Time reading, copying, writing and comparing the trees of a file");
  AddPgVersion(*command, options->pg_version);
  command
      ->add_option("--ops", options->ops,
                   "The operations to time, separated by commas: read, copy, write, equal [all]")
      ->delimiter(',')
      ->check(CLI::IsMember({"read", "copy", "write", "equal"}));
  command
      ->add_option("--repeat", options->repeat,
                   "How often each operation is applied to each tree in a row")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command
      ->add_option(
          "FILE", options->file,
          "A file with one tree a line, plain or as JSON objects, also compressed by gzip; - is "
          "standard input")
      ->required();
  command->footer("Example: relcache tree bench tests/data/corpus/pg15.jsonl.gz --ops read,copy");
  command->callback([options, &outcome] { outcome.status = TreeBench(*options); });
}

}  // namespace

void AddTreeCommands(CLI::App& app, Outcome& outcome) {
  CLI::App* tree = app.add_subcommand("tree", "Verify, show and time node trees");
  tree->require_subcommand(1);
  AddVerify(*tree, outcome);
  AddShow(*tree, outcome);
  AddBench(*tree, outcome);
}

}  // namespace relcache::tools
