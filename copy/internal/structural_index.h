// The first of the two stages in which a chunk is read: where its delimiters and ends of lines are,
// found 64 bytes at a time with the processor's vector instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace relcache::internal {

/// The number of bytes behind a chunk that may be read.
inline constexpr std::size_t kIndexPadding = 64;

struct StructuralIndex {
  /// The offsets of the delimiters, carriage returns and newlines that are neither within quotes
  /// (CSV) nor escaped (text), in ascending order, and their number. The array has room for more.
  std::vector<std::uint32_t> separators;
  std::size_t count = 0;
  /// The same for quotes (CSV) and backslashes (text).
  std::vector<std::uint32_t> specials;
  std::size_t special_count = 0;
  /// Whether there is a byte that is not ASCII, or a NUL.
  bool beyond_ascii = false;
};

/// Indexes CSV whose ESCAPE is its QUOTE.
void IndexCsv(const char* bytes, std::size_t size, char delimiter, char quote,
              StructuralIndex& out);
/// Indexes text format.
void IndexText(const char* bytes, std::size_t size, char delimiter, StructuralIndex& out);

/// How often a byte occurs.
std::size_t CountBytes(const char* bytes, std::size_t size, char wanted);

/// The same with the given instructions, for tests. kBest is what the other functions use.
enum class VectorUnit : std::uint8_t { kPortable, kSse2, kAvx2, kBest };
bool HasVectorUnit(VectorUnit unit);
void IndexCsvWith(VectorUnit unit, const char* bytes, std::size_t size, char delimiter, char quote,
                  StructuralIndex& out);
void IndexTextWith(VectorUnit unit, const char* bytes, std::size_t size, char delimiter,
                   StructuralIndex& out);

}  // namespace relcache::internal
