// JsonCatalog is a catalog source that reads a snapshot: a JSON file with the catalog rows of a
// database as of one moment. docs/json_catalog_format.md specifies the format, and scripts/snapshot
// makes such a file from a server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "relcache/catalog/stored_catalog.h"

namespace relcache {

/// The bounds for a snapshot: its size in bytes, and how deeply its JSON may be nested.
struct JsonLimits {
  std::size_t max_bytes = std::size_t{1} << 30;
  std::uint32_t max_depth = 64;
};

/// A catalog source over a snapshot. The snapshot is read and checked completely when the object is
/// made, so that no later Load can fail, except by std::bad_alloc.
/// Thread safety: any thread may make any call.
class JsonCatalog final : public StoredCatalog {
 public:
  /// Reads a snapshot file.
  /// Errors: kIo if the file cannot be read; kInvalidInput and kLimit with the place in the file
  /// and the path of the field; kInvalidInput also if rows contradict each other or refer to a
  /// type, parent or schema that is missing; kNotSupported for a server older than PostgreSQL 10.
  static Result<std::unique_ptr<JsonCatalog>> Open(const std::string& path,
                                                   const JsonLimits& limits = {});
  /// Reads a snapshot from memory. Errors use `name` as the name of the file.
  /// Lifetime: `text` is needed only during the call.
  /// Errors: those of Open except kIo.
  static Result<std::unique_ptr<JsonCatalog>> Parse(std::string_view text, std::string_view name,
                                                    const JsonLimits& limits = {});

  /// Reads the file that Open read again and publishes the differences as invalidations. After an
  /// error nothing has changed.
  /// Errors: those of Open; kNotSupported if the version, the encoding or the default collation of
  /// the server is another one now, and for a catalog that Parse made.
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
