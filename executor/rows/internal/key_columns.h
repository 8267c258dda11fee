// The keys of joins and groups: hashing and comparing whole columns. The hashes are not
// PostgreSQL's; they are never stored beyond the query.
#pragma once

#include <cstdint>
#include <span>

#include "relcache/executor/batch/column_type.h"
#include "relcache/executor/rows/internal/row_layout.h"
#include "relcache/types/type_ops.h"

namespace relcache {

/// How the values of a key are hashed and compared. Types of one family (the integers; the floats;
/// text and varchar) have the same hashes for equal values and can be compared with one another.
struct KeyType {
  enum class Kind : std::uint8_t {
    kInteger,  ///< by value, equal if the (sign-extended) words are
    kFloat,    ///< -0 equals 0, NaN equals NaN
    kBytes,    ///< of variable length, equal if all bytes are
    kFixed,    ///< of `length` bytes, equal if all bytes are
    kOther,    ///< numeric, bpchar, interval ...: the type's own functions
  };
  Kind kind = Kind::kInteger;
  ColumnForm form = ColumnForm::kInt4;
  std::uint16_t length = 0;
  const TypeOps* ops = nullptr;
};

/// How to compare and hash a type.
/// Errors: kNotSupported for types whose equality is not known here, and for collations that are
/// not known to be deterministic.
Result<KeyType> KeyTypeOf(const ColumnType& type);
/// Checks that PostgreSQL has an equality operator between the two types that compares as their
/// families do.
/// Errors: kNotSupported "not supported: integer = text".
Status CheckComparable(const ColumnType& a, const ColumnType& b);

/// Hashes a column of `rows` values into `hashes` or, with `combine`, combines each hash with the
/// one that is there. NULL has a hash of its own.
void HashKey(const KeyType& key, const BatchColumn& column, std::size_t rows, bool combine,
             std::uint64_t* hashes);

/// For pairs of a stored row and a row of a batch: clears the byte in `equal` if the value of the
/// stored column differs from that of the batch's column. NULL equals NULL if `nulls_equal` (as in
/// GROUP BY), and otherwise nothing.
void CompareKey(const KeyType& stored_key, const RowLayout& layout, std::size_t stored_column,
                std::span<const StoredRow* const> stored, const KeyType& key,
                const BatchColumn& column, std::span<const std::uint32_t> rows, bool nulls_equal,
                std::uint8_t* equal);

}  // namespace relcache
