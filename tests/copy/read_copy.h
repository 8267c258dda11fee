// Reads a text as a file in COPY's format and prints its rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "relcache/copy/copy_reader.h"

namespace relcache::test {

/// One text for each row: its fields in brackets, `[a][NULL]`, where NULL has no quotes around it
/// and values have them, or `!` and the message of what is wrong with it. A row with another number
/// of fields than `columns` is printed as COPY's error.
inline std::vector<std::string> ReadCopy(std::string_view text, const CopySyntax& syntax,
                                         std::size_t columns,
                                         std::size_t chunk_bytes = CopySplitter::kChunkBytes,
                                         std::size_t at_once = ~std::size_t{0}) {
  MemorySource source(text, at_once);
  CopySplitter splitter(source, syntax, chunk_bytes);
  CopyReader reader(syntax, columns);
  CopyChunk chunk;
  CopyBatch batch;
  std::vector<std::string> out;
  for (bool ended = false; !ended;) {
    const Result<bool> more = splitter.Next(chunk);
    if (!more) out.push_back("!" + more.error().message);
    if (!more || !*more) break;
    reader.Start(chunk);
    while (reader.Next(batch)) {
      std::size_t fault = 0;
      for (std::size_t row = 0; row < batch.rows; ++row) {
        std::string& line = out.emplace_back();
        if (fault < batch.faults.size() && batch.faults[fault].row == row) {
          line = "!" + batch.faults[fault++].error.message;
        } else if (batch.field_counts[row] > columns) {
          line = "!extra data after last expected column";
        } else if (batch.field_counts[row] < columns) {
          line = "!missing data for column \"c" + std::to_string(batch.field_counts[row]) + "\"";
        } else {
          for (std::size_t i = 0; i < columns; ++i) {
            const CopyField& field = batch.column(i)[row];
            line += field.is_null() ? "[NULL]" : "['" + std::string(field.text()) + "']";
          }
        }
      }
    }
    ended = reader.ended();
  }
  return out;
}

}  // namespace relcache::test
