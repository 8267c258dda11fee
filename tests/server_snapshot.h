// What scripts/snapshot makes of a running server, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "relcache/catalog/json_catalog.h"

namespace relcache::test {

/// What a line of shell writes to its standard output, and its exit status as of wait.
struct CommandOutput {
  std::string text;
  int status = 0;
};
inline CommandOutput RunCommand(const std::string& command) {
  CommandOutput out;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {"", -1};
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
    out.text.append(buffer, n);
  out.status = pclose(pipe);
  return out;
}

/// A snapshot of some schemas, by their names as they are; none: all of them. Null, and the test
/// has failed, if there is none.
inline std::unique_ptr<JsonCatalog> SnapshotOf(const std::string& connection,
                                               const std::vector<std::string>& schemas = {}) {
  std::string command = RELCACHE_TEST_DATA "/../../scripts/snapshot \"" + connection + "\"";
  for (const std::string& schema : schemas) command += " --schema '" + schema + "'";
  const CommandOutput out = RunCommand(command);
  EXPECT_EQ(out.status, 0) << command;
  auto catalog = JsonCatalog::Parse(out.text, "snapshot");
  EXPECT_TRUE(catalog) << catalog.error().ToString();
  return out.status == 0 && catalog ? std::move(*catalog) : nullptr;
}

}  // namespace relcache::test
