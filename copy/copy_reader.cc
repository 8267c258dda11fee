#include "relcache/copy/copy_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/copy/internal/line_scan.h"
#include "relcache/copy/internal/structural_index.h"
#include "relcache/types/internal/text.h"

namespace relcache {

using internal::Field;
using internal::LineEnd;
using internal::ScannedLine;

namespace {

/// The greatest chunk that is indexed. An index takes eight times as many bytes as a chunk could
/// have separators, and greater chunks consist of few lines.
constexpr std::size_t kMostIndexed = std::size_t{8} << 20;

}  // namespace

struct CopyReader::Impl {
  Impl(CopySyntax s, std::size_t n) : syntax(std::move(s)), columns(n) {}

  void Start(const CopyChunk& next);
  bool Next(CopyBatch& batch);

  /// Reads rows by the index until the batch is full, the chunk ends, or a row needs a closer look.
  void ReadIndexed(CopyBatch& batch);
  /// Reads the row at `at` byte by byte. Returns false if there is none.
  bool ReadScanned(CopyBatch& batch);
  void Quoted(std::size_t start, std::size_t end, CopyField& field, std::optional<Error>& error);
  bool IsText(std::size_t start, std::size_t end, Error& error) const;
  void SkipIndexTo(std::size_t offset);
  CopyField* FieldAt(CopyBatch& batch, std::size_t column, std::size_t row) const {
    return batch.fields_.data() + column * CopyBatch::kRows + row;
  }
  void Add(CopyBatch& batch, std::size_t start, std::size_t end, std::size_t fields);
  void AddFault(CopyBatch& batch, std::size_t start, std::size_t end, Error error);

  const CopySyntax syntax;
  const std::size_t columns;
  const CopyChunk* chunk = nullptr;
  internal::StructuralIndex index;
  /// The next separator and the next special byte that were not used yet, and the next row.
  std::size_t next = 0;
  std::size_t next_special = 0;
  std::size_t at = 0;
  bool indexed = false;
  /// Whether all of the chunk is valid text.
  bool valid = true;
  bool ended = false;
  std::uint64_t line = 0;
  LineEnd line_end = LineEnd::kUnknown;
  std::vector<Field> scratch_fields;
  ContextPtr unescaped = AllocSet::CreateRoot("copy fields");
};

CopyReader::CopyReader(CopySyntax syntax, std::size_t columns)
    : impl_(std::make_unique<Impl>(std::move(syntax), columns)) {}
CopyReader::~CopyReader() = default;

void CopyReader::Start(const CopyChunk& chunk) {
  impl_->Start(chunk);
}
bool CopyReader::Next(CopyBatch& batch) {
  return impl_->Next(batch);
}
bool CopyReader::ended() const {
  return impl_->ended;
}
std::uint64_t CopyReader::lines() const {
  return impl_->line;
}

void CopyReader::Impl::Start(const CopyChunk& started) {
  chunk = &started;
  next = next_special = at = 0;
  line = 0;
  ended = false;
  line_end = static_cast<LineEnd>(started.line_ending);
  const char* bytes = started.buffer.get();
  // Without an end of a line there is one line at most. An ESCAPE of its own needs a state machine.
  indexed = line_end != LineEnd::kUnknown && (!syntax.csv || syntax.escape == syntax.quote) &&
            started.size <= kMostIndexed;
  bool ascii = false;
  if (indexed) {
    if (syntax.csv) {
      internal::IndexCsv(bytes, started.size, syntax.delimiter, syntax.quote, index);
    } else {
      internal::IndexText(bytes, started.size, syntax.delimiter, index);
    }
    ascii = !index.beyond_ascii;
    // Sentinels: no separator and no special byte lies behind the end.
    index.separators[index.count] = static_cast<std::uint32_t>(started.size);
    index.specials[index.special_count] = static_cast<std::uint32_t>(started.size);
  }
  valid = ascii || CheckUtf8({bytes, started.size}).has_value();
}

bool CopyReader::Impl::Next(CopyBatch& batch) {
  batch.rows = 0;
  batch.all_complete = true;
  batch.faults.clear();
  batch.field_counts.resize(CopyBatch::kRows);
  batch.lines.resize(CopyBatch::kRows);
  batch.raw.resize(CopyBatch::kRows);
  batch.fields_.resize(columns * CopyBatch::kRows);
  unescaped->Reset();
  while (batch.rows < CopyBatch::kRows && !ended && at < chunk->size) {
    if (indexed) {
      const std::size_t before = batch.rows;
      ReadIndexed(batch);
      if (batch.rows != before) continue;
    }
    if (!ReadScanned(batch)) break;
  }
  return batch.rows > 0;
}

void CopyReader::Impl::Add(CopyBatch& batch, std::size_t start, std::size_t end,
                           std::size_t fields) {
  batch.field_counts[batch.rows] = static_cast<std::uint32_t>(fields);
  batch.lines[batch.rows] = line;
  batch.raw[batch.rows] = {chunk->buffer.get() + start, end - start};
  batch.all_complete = batch.all_complete && fields == columns;
  ++batch.rows;
  ++line;
}

void CopyReader::Impl::AddFault(CopyBatch& batch, std::size_t start, std::size_t end, Error error) {
  batch.faults.push_back({static_cast<std::uint16_t>(batch.rows), std::move(error)});
  batch.all_complete = false;
  Add(batch, start, end, 0);
}

/// A field that contains quotes or backslashes.
void CopyReader::Impl::Quoted(std::size_t start, std::size_t end, CopyField& field,
                              std::optional<Error>& error) {
  const std::string_view raw(chunk->buffer.get() + start, end - start);
  // The usual case: quotes around the field and none within it.
  if (syntax.csv && raw.size() >= 2 && raw.front() == syntax.quote && raw.back() == syntax.quote &&
      index.specials[next_special] == start && index.specials[next_special + 1] == end - 1) {
    field = {raw.data() + 1, static_cast<std::uint32_t>(raw.size() - 2)};
    return;
  }
  if (!syntax.csv && raw == syntax.null_text) {
    field = {};
    return;
  }
  Result<Field> made = syntax.csv ? internal::UnquoteCsv(syntax, raw, *unescaped)
                                  : internal::UnescapeText(syntax, raw, *unescaped);
  if (made) {
    field = {made->data, made->size};
  } else if (!error) {
    error = std::move(made).error();
  }
}

/// Whether a line is valid text. The message shows bytes behind the line, too, if a character is
/// cut off there.
bool CopyReader::Impl::IsText(std::size_t start, std::size_t end, Error& error) const {
  const char* bytes = chunk->buffer.get();
  if (CheckUtf8({bytes + start, end - start})) return true;
  const std::size_t more = std::min(end + 4, chunk->size);
  Status status = CheckUtf8({bytes + start, more - start});
  if (status) return true;
  error = std::move(status).error();
  return false;
}

void CopyReader::Impl::ReadIndexed(CopyBatch& batch) {
  const char* const bytes = chunk->buffer.get();
  const std::uint32_t* const separators = index.separators.data();
  const std::uint32_t* const specials = index.specials.data();
  const std::string_view null_text = syntax.null_text;
  const char first_of_terminator = line_end == LineEnd::kLf ? '\n' : '\r';
  std::optional<Error> error;
  while (batch.rows < CopyBatch::kRows && at < chunk->size) {
    // What could be an end marker is scanned.
    if (bytes[at] == '\\' && bytes[at + 1] == '.' && syntax.csv) return;
    const std::size_t first_special = next_special;
    const std::size_t first_separator = next;
    std::size_t start = at;
    std::size_t fields = 0;
    CopyField* to = FieldAt(batch, 0, batch.rows);
    const auto retreat = [&] {
      error.reset();
      next_special = first_special;
      next = first_separator;
    };
    for (;; ++next) {
      const std::size_t end = separators[next];
      const bool wanted = fields < columns;
      if (specials[next_special] < end) {
        // A field too many has to be read as well: its escapes may be an error, which comes first.
        CopyField unused;
        Quoted(start, end, wanted ? *to : unused, error);
        while (specials[next_special] < end) ++next_special;
      } else if (wanted) {
        const bool is_null = end - start == null_text.size() &&
                             std::memcmp(bytes + start, null_text.data(), null_text.size()) == 0;
        *to = is_null ? CopyField{}
                      : CopyField{bytes + start, static_cast<std::uint32_t>(end - start)};
      }
      if (wanted) to += CopyBatch::kRows;
      ++fields;
      if (end == chunk->size) {
        // A last line without an end. Whether its quotes are closed, the scan tells.
        if (!chunk->is_last || specials[first_special] < end) return retreat();
        break;
      }
      if (bytes[end] != syntax.delimiter) break;
      start = end + 1;
    }
    const std::size_t end = separators[next];
    std::size_t behind = end;
    if (end < chunk->size) {
      if (bytes[end] != first_of_terminator) return retreat();
      ++next;
      behind = end + 1;
      if (line_end == LineEnd::kCrLf) {
        // The newline is a separator of its own.
        if (separators[next] != behind || bytes[behind] != '\n') return retreat();
        ++next;
        ++behind;
      }
    }
    while (specials[next_special] < end) ++next_special;
    const bool has_specials = next_special != first_special;
    if (has_specials && !syntax.csv) {
      // A backslash before a point ends the data, or is an error.
      for (std::size_t i = first_special; i < next_special; ++i)
        if (bytes[specials[i] + 1] == '.') return retreat();
    }
    if (!valid) {
      Error not_text;
      if (!IsText(at, end, not_text)) error = std::move(not_text);
    }
    if (error) [[unlikely]] {
      AddFault(batch, at, end, *std::exchange(error, std::nullopt));
    } else {
      Add(batch, at, end, fields);
    }
    if (has_specials && syntax.csv) {
      const char counted = line_end == LineEnd::kLf ? '\n' : '\r';
      line += static_cast<std::uint64_t>(std::count(bytes + at, bytes + end, counted));
    }
    at = behind;
  }
}

void CopyReader::Impl::SkipIndexTo(std::size_t offset) {
  while (next < index.count && index.separators[next] < offset) ++next;
  while (next_special < index.special_count && index.specials[next_special] < offset)
    ++next_special;
}

bool CopyReader::Impl::ReadScanned(CopyBatch& batch) {
  const std::string_view rest(chunk->buffer.get() + at, chunk->size - at);
  const ScannedLine scanned = internal::ScanLine(syntax, rest, /*at_end=*/true, line_end);
  const std::size_t end = at + scanned.size;
  const bool marker = scanned.outcome == ScannedLine::Outcome::kEndMarker;
  ended = ended || marker;
  if (marker && scanned.size == 0) return false;
  Error error;
  // The first thing that is wrong with the line decides.
  const std::size_t looked_at = scanned.fault != nullptr ? at + scanned.fault_at : end;
  if (!valid && !IsText(at, looked_at, error)) {
    AddFault(batch, at, end, std::move(error));
  } else if (scanned.fault != nullptr) {
    AddFault(batch, at, end, internal::BadFormat(scanned.fault));
  } else if (Status split = internal::SplitLine(syntax, rest.substr(0, scanned.size),
                                                scratch_fields, *unescaped);
             !split) {
    AddFault(batch, at, end, std::move(split).error());
  } else {
    for (std::size_t i = 0; i < std::min(columns, scratch_fields.size()); ++i)
      *FieldAt(batch, i, batch.rows) = {scratch_fields[i].data, scratch_fields[i].size};
    Add(batch, at, end, scratch_fields.size());
  }
  line += scanned.newlines;
  at += scanned.next;
  if (indexed) SkipIndexTo(at);
  return true;
}

Status CheckCopyHeader(const CopySplitter& splitter, const CopySyntax& syntax,
                       std::span<const std::string_view> columns) {
  if (!splitter.header()) return {};
  if (splitter.header_fault() != nullptr) return Fail(internal::BadFormat(splitter.header_fault()));
  RELCACHE_TRY(CheckUtf8(*splitter.header()));
  if (syntax.header != CopyHeader::kMatch) return {};
  const ContextPtr cx = AllocSet::CreateRoot("copy header");
  std::vector<Field> fields;
  RELCACHE_TRY(internal::SplitLine(syntax, *splitter.header(), fields, *cx));
  if (fields.size() != columns.size())
    return Fail(
        internal::BadFormat(Format("wrong number of fields in header line: got {}, expected {}",
                                   fields.size(), columns.size())));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (fields[i].data == nullptr)
      return Fail(internal::BadFormat(
          Format("column name mismatch in header line field {}: got null value (\"{}\"), expected "
                 "\"{}\"",
                 i + 1, syntax.null_text, columns[i])));
    if (fields[i].text() != columns[i])
      return Fail(internal::BadFormat(
          Format("column name mismatch in header line field {}: got \"{}\", expected \"{}\"", i + 1,
                 fields[i].text(), columns[i])));
  }
  return {};
}

}  // namespace relcache
