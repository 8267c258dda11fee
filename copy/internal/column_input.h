// Converts the fields of one column of a file to values, a batch at a time: what the type's input
// function, the typmod of the column and the constraints of a domain make of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/copy/copy_reader.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/objects.h"
#include "relcache/types/server_version.h"

namespace relcache::internal {

/// The values of a column for one batch.
struct ColumnValues {
  ColumnForm form = ColumnForm::kDatum;
  Oid type = kInvalidOid;
  alignas(64) std::byte values[CopyBatch::kRows * sizeof(Datum)];
  alignas(64) std::uint8_t nulls[CopyBatch::kRows];
  bool any_null = false;

  BatchColumn Column() const { return {type, form, values, any_null ? nulls : nullptr}; }
};

/// What is called for a row whose field is no value.
using FieldFailure = std::function<void(std::size_t row, Error error)>;

/// Thread safety: const after Make; each thread converts into values of its own.
class ColumnInput {
 public:
  /// Errors: kNotSupported for a type without input; those of compiling a domain's constraints.
  static Result<ColumnInput> Make(const AttributeRow& column, std::string_view search_path,
                                  ObjectLookup& objects, CatalogSource& source, MemoryContext& cx);

  /// Converts the fields of the rows that `skip` does not mark. A row that fails is NULL
  /// afterwards, as are rows that are skipped. Values by reference lie in scratch.cx().
  void Convert(std::span<const CopyField> fields, const std::uint8_t* skip, Scratch& scratch,
               ColumnValues& out, const FieldFailure& fail) const;
  bool is_domain() const { return domain_ != nullptr; }
  Oid base() const { return base_; }
  ColumnForm form() const { return form_; }

 private:
  enum class Kind : std::uint8_t { kInt2, kInt4, kInt8, kText, kNumeric, kEnum, kGeneral };

  Result<Datum> One(std::string_view text, Scratch& scratch) const;
  template <class T>
  void Integers(std::span<const CopyField> fields, const std::uint8_t* skip, Scratch& scratch,
                ColumnValues& out, const FieldFailure& fail) const;
  template <class Fast>
  void References(std::span<const CopyField> fields, const std::uint8_t* skip, Scratch& scratch,
                  ColumnValues& out, const FieldFailure& fail, const Fast& fast) const;
  void CheckDomain(std::size_t rows, const std::uint8_t* skip, Scratch& scratch, ColumnValues& out,
                   const FieldFailure& fail) const;

  Kind kind_ = Kind::kGeneral;
  Oid base_ = kInvalidOid;
  std::int32_t typmod_ = -1;
  ColumnForm form_ = ColumnForm::kDatum;
  ServerVersion version_;
  const Program* domain_ = nullptr;
  /// The greatest number of bytes of a text that can be stored as it is.
  std::size_t greatest_text_ = 0;
  std::string type_name_;
  std::shared_ptr<const std::unordered_map<std::string_view, Oid>> labels_;
};

/// A value of type numeric with at most 18 digits, from the usual form of its text; false if it has
/// another form or needs to be rounded. `typmod` is that of the column.
bool FastNumeric(std::string_view text, std::int32_t typmod, MemoryContext& cx, Datum& out);
/// An integer in its usual form; false if it has another one, or does not fit into 18 digits.
bool FastInteger(std::string_view text, std::int64_t& out);

}  // namespace relcache::internal
