#include "relcache/executor/rows/internal/row_layout.h"

#include <algorithm>

#include "relcache/memory/align.h"

namespace relcache {
namespace {

std::size_t VarlenaBytes(Datum d) {
  return VarData(d).size() + kVarHdrSz;
}

}  // namespace

RowLayout::RowLayout(std::span<const ColumnType> columns, std::size_t extra)
    : fields_(columns.size()) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Field& field = fields_[c];
    field.type = columns[c];
    if (field.type.form != ColumnForm::kDatum) {
      field.storage = Storage::kValue;
    } else if (field.type.typlen > 0) {
      field.storage = Storage::kFixed;
    } else {
      // Columns cannot have the type cstring (-2).
      RELCACHE_CHECK_EQ(field.type.typlen, -1);
      field.storage = Storage::kVarlena;
      field.align = field.type.typalign == 'd' ? 8 : 4;
      variable_fields_.push_back(static_cast<std::uint32_t>(c));
    }
  }
  variable_ = !variable_fields_.empty();

  // From the widest to the narrowest value, so that every value is aligned without padding. The
  // size and the offsets, of four bytes, come between the values of eight and those of four.
  std::size_t at = sizeof(StoredRow);
  for (Field& field : fields_) {
    if (field.storage != Storage::kFixed) continue;
    field.offset = static_cast<std::uint32_t>(at);
    at = AlignUp(at + static_cast<std::size_t>(field.type.typlen), 8);
  }
  extra_offset_ = static_cast<std::uint32_t>(at);
  extra_bytes_ = static_cast<std::uint32_t>(AlignUp(extra, 8));
  at += extra_bytes_;
  for (const std::size_t width : {8, 4, 2, 1}) {
    if (width == 4 && variable_) {
      size_offset_ = static_cast<std::uint32_t>(at);
      at += 4;
      for (std::size_t v = 1; v < variable_fields_.size(); ++v, at += 4)
        fields_[variable_fields_[v]].offset_offset = static_cast<std::uint32_t>(at);
    }
    for (Field& field : fields_) {
      if (field.storage != Storage::kValue || WidthOf(field.type.form) != width) continue;
      field.offset = static_cast<std::uint32_t>(at);
      at += width;
    }
  }
  bits_offset_ = static_cast<std::uint32_t>(at);
  bits_bytes_ = static_cast<std::uint32_t>((fields_.size() + kFlagBits + 7) / 8);
  at += bits_bytes_;
  fixed_size_ = static_cast<std::uint32_t>(variable_ ? at : AlignUp(at, 8));
  if (variable_) {
    Field& first = fields_[variable_fields_[0]];
    // The first varlena always starts here: a NULL takes no bytes, but nothing precedes it.
    first.offset = static_cast<std::uint32_t>(AlignUp(at, first.align));
  }
}

Status RowLayout::Measure(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                          std::uint32_t* sizes) const {
  const std::size_t n = selection.size();
  if (!variable_) {
    std::fill_n(sizes, n, fixed_size_);
    return {};
  }
  if (variable_fields_.size() == 1) {
    const BatchColumn& column = batch.columns[variable_fields_[0]];
    const std::size_t start = fields_[variable_fields_[0]].offset;
    const Datum* values = column.data<Datum>();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t r = selection[i];
      // A single column of variable length, the most frequent case, needs no offsets.
      const std::size_t bytes = column.isnull(r) ? 0 : VarlenaBytes(values[r]);
      if (bytes > kMaxRowBytes - start - 8) [[unlikely]]
        return Fail(ErrorCode::kLimit, "54000", "row is too big");
      sizes[i] = static_cast<std::uint32_t>(AlignUp(start + bytes, 8));
    }
    return {};
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t r = selection[i];
    std::size_t at = fixed_size_;
    for (const std::uint32_t c : variable_fields_) {
      if (batch.columns[c].isnull(r)) continue;
      at = AlignUp(at, fields_[c].align) + VarlenaBytes(batch.columns[c].data<Datum>()[r]);
      if (at > kMaxRowBytes - 8) [[unlikely]]
        return Fail(ErrorCode::kLimit, "54000", "row is too big");
    }
    // Even if all are NULL, reading the first one computes an address at its offset.
    at = std::max<std::size_t>(at, fields_[variable_fields_[0]].offset);
    sizes[i] = static_cast<std::uint32_t>(AlignUp(at, 8));
  }
  return {};
}

void RowLayout::Write(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                      const std::uint64_t* hashes, const std::uint32_t* sizes,
                      StoredRow* const* rows) {
  const std::size_t n = selection.size();
  for (std::size_t i = 0; i < n; ++i) {
    char* row = Bytes(rows[i]);
    std::memcpy(row + offsetof(StoredRow, hash), &hashes[selection[i]], sizeof *hashes);
    if (variable_) std::memcpy(row + size_offset_, &sizes[i], sizeof sizes[i]);
    if (bits_bytes_ == 1) {
      row[bits_offset_] = 0;
    } else {
      std::memset(row + bits_offset_, 0, bits_bytes_);
    }
    if (extra_bytes_ != 0) std::memset(row + extra_offset_, 0, extra_bytes_);
  }
  // Column by column, so that the switch over the column's type is outside of the loop over the
  // rows.
  for (std::size_t c = 0; c < fields_.size(); ++c) {
    Field& field = fields_[c];
    const BatchColumn& column = batch.columns[c];
    if (column.nulls != nullptr) {
      const std::size_t bit = c + kFlagBits;
      for (std::size_t i = 0; i < n; ++i) {
        if (column.nulls[selection[i]] == 0) continue;
        field.has_nulls = true;
        Bytes(rows[i])[bits_offset_ + bit / 8] |= static_cast<char>(1U << (bit % 8));
      }
    }
    if (field.storage == Storage::kValue) {
      WithWord(field.type.form, [&](auto zero) {
        using T = decltype(zero);
        const T* values = static_cast<const T*>(column.values);
        for (std::size_t i = 0; i < n; ++i)
          std::memcpy(Bytes(rows[i]) + field.offset, &values[selection[i]], sizeof(T));
      });
    } else if (field.storage == Storage::kFixed) {
      const auto bytes = static_cast<std::size_t>(field.type.typlen);
      for (std::size_t i = 0; i < n; ++i) {
        char* target = Bytes(rows[i]) + field.offset;
        if (column.isnull(selection[i])) {
          std::memset(target, 0, bytes);
        } else {
          std::memcpy(target, DatumGetPointer(column.data<Datum>()[selection[i]]), bytes);
        }
      }
    }
  }
  if (variable_) WriteVariable(batch, selection, rows);
}

void RowLayout::WriteVariable(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                              StoredRow* const* rows) const {
  const std::size_t n = selection.size();
  if (variable_fields_.size() == 1) {
    const BatchColumn& column = batch.columns[variable_fields_[0]];
    const Datum* values = column.data<Datum>();
    const std::size_t start = fields_[variable_fields_[0]].offset;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t r = selection[i];
      if (column.isnull(r)) continue;
      std::memcpy(Bytes(rows[i]) + start, DatumGetPointer(values[r]), VarlenaBytes(values[r]));
    }
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t r = selection[i];
    char* row = Bytes(rows[i]);
    std::size_t at = fixed_size_;
    for (const std::uint32_t c : variable_fields_) {
      const Field& field = fields_[c];
      if (batch.columns[c].isnull(r)) continue;
      at = AlignUp(at, field.align);
      const Datum value = batch.columns[c].data<Datum>()[r];
      const std::size_t bytes = VarlenaBytes(value);
      std::memcpy(row + at, DatumGetPointer(value), bytes);
      if (field.offset_offset != 0) {
        const auto offset = static_cast<std::uint32_t>(at);
        std::memcpy(row + field.offset_offset, &offset, sizeof offset);
      }
      at += bytes;
    }
  }
}

Datum RowLayout::value(const StoredRow* row, std::size_t column) const {
  const Field& field = fields_[column];
  const char* bytes = Bytes(row);
  if (field.storage == Storage::kValue) return LoadDatum(field.type.form, bytes + field.offset, 0);
  if (field.offset_offset == 0) return PointerGetDatum(bytes + field.offset);
  std::uint32_t offset;
  std::memcpy(&offset, bytes + field.offset_offset, sizeof offset);
  return PointerGetDatum(bytes + offset);
}

bool RowLayout::Read(std::size_t column, std::span<const StoredRow* const> rows, void* values,
                     std::uint8_t* nulls) const {
  const Field& field = fields_[column];
  const std::size_t n = rows.size();
  if (field.storage == Storage::kValue) {
    WithWord(field.type.form, [&](auto zero) {
      using T = decltype(zero);
      T* out = static_cast<T*>(values);
      for (std::size_t i = 0; i < n; ++i)
        std::memcpy(&out[i], Bytes(rows[i]) + field.offset, sizeof(T));
    });
  } else {
    Datum* out = static_cast<Datum*>(values);
    if (field.offset_offset == 0) {
      for (std::size_t i = 0; i < n; ++i) out[i] = PointerGetDatum(Bytes(rows[i]) + field.offset);
    } else {
      for (std::size_t i = 0; i < n; ++i) out[i] = value(rows[i], column);
    }
  }
  if (!field.has_nulls) return false;
  std::uint8_t any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    nulls[i] = isnull(rows[i], column) ? 1 : 0;
    any |= nulls[i];
  }
  return any != 0;
}

}  // namespace relcache
