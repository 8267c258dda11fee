// A catalog in a snapshot file (docs/json_catalog_format.md; scripts/snapshot makes one from a
// server).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "relcache/catalog/stored_catalog.h"

namespace relcache {

/// What a snapshot may be at most.
struct JsonLimits {
  std::size_t max_bytes = std::size_t{1} << 30;
  std::uint32_t max_depth = 64;
};

/// A source over a snapshot. Built whole or not at all: once it is there, no Load fails.
/// Thread safety: all calls from any thread.
class JsonCatalog final : public StoredCatalog {
 public:
  /// Errors: kIo when the file cannot be read; kInvalidInput and kLimit with the place in the file
  /// and the path of the field; kInvalidInput when rows contradict each other, or name a type,
  /// parent or schema that is not there.
  static Result<std::unique_ptr<JsonCatalog>> Open(const std::string& path,
                                                   const JsonLimits& limits = {});
  /// The same from memory. `name` stands for the file in errors.
  static Result<std::unique_ptr<JsonCatalog>> Parse(std::string_view text, std::string_view name,
                                                    const JsonLimits& limits = {});

  /// Reads the file that Open read once more, and publishes what differs. After an error everything
  /// is as before. Errors: those of Open; kNotSupported when the snapshot is of another server.
  Status Reload();

 private:
  struct Snapshot {
    ServerInfo info;
    Tables tables;
  };
  JsonCatalog(Snapshot snapshot, std::string path, const JsonLimits& limits);
  static Result<Snapshot> Read(std::string_view text, std::string_view name,
                               const JsonLimits& limits);

  const std::string path_;
  const JsonLimits limits_;
};

}  // namespace relcache
