// Keys of joins and groups: hashing and equality of whole columns.
#pragma once

#include <cstdint>
#include <span>

#include "relcache/executor/batch/column_type.h"
#include "relcache/executor/rows/internal/row_layout.h"
#include "relcache/types/type_ops.h"

namespace relcache {

/// How values of a key are hashed and compared. Types of one family (the integers; the floats; text
/// and varchar) hash alike and can be compared with one another.
struct KeyType {
  enum class Kind : std::uint8_t {
    kInteger,  ///< by value, equal when the (sign-extended) words are
    kFloat,    ///< -0 equals 0, NaN equals NaN
    kBytes,    ///< of variable length, equal when all bytes are
    kFixed,    ///< of `length` bytes, equal when all bytes are
    kOther,    ///< numeric, bpchar, interval ...: the type's own functions
  };
  Kind kind = Kind::kInteger;
  ColumnForm form = ColumnForm::kInt4;
  std::uint16_t length = 0;
  const TypeOps* ops = nullptr;
};

/// Errors: kNotSupported for types whose equality is not known, and for collations that are not
/// known to be deterministic.
Result<KeyType> KeyTypeOf(const ColumnType& type);
/// Whether an equality between the two exists that compares as their families do.
/// Errors: kNotSupported "not supported: integer = text".
Status CheckComparable(const ColumnType& a, const ColumnType& b);

/// Hashes a column of `rows` values: into `hashes`, or with what stands there (`combine`). NULL
/// hashes as a value of its own.
void HashKey(const KeyType& key, const BatchColumn& column, std::size_t rows, bool combine,
             std::uint64_t* hashes);

/// For pairs of a stored row and a row of a batch, whether a stored column's value equals that of
/// the batch's: ANDed into `equal`. A NULL equals a NULL if `nulls_equal` (as in GROUP BY), else
/// nothing.
void CompareKey(const KeyType& stored_key, const RowLayout& layout, std::size_t stored_column,
                std::span<const StoredRow* const> stored, const KeyType& key,
                const BatchColumn& column, std::span<const std::uint32_t> rows, bool nulls_equal,
                std::uint8_t* equal);

}  // namespace relcache
