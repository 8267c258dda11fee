#include "relcache/executor/rows/internal/key_columns.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

using Kind = KeyType::Kind;

constexpr std::uint64_t kNullHash = 0x6c62272e07bb0142;

// One wide multiplication makes every bit of the result depend on every bit of the word.
std::uint64_t Mix(std::uint64_t word, std::uint64_t seed) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(word ^ 0x9e3779b97f4a7c15 ^ seed) *
      (0xd6e8feb86659fd93 ^ (seed << 1));
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// -0 equals 0, and all NaNs are equal, as in PostgreSQL.
std::uint64_t FloatWord(double value) {
  if (value == 0) return 0;
  if (value != value) return 0x7ff8000000000000;
  return std::bit_cast<std::uint64_t>(value);
}

// A word that represents the value; equal values have equal words.
template <class T>
std::uint64_t WordOf(T value) {
  if constexpr (std::is_floating_point_v<T>) return FloatWord(value);
  if constexpr (!std::is_floating_point_v<T>)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

template <class T>
T LoadAs(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class F>
void WithNativeType(ColumnForm form, F f) {
  switch (form) {
    case ColumnForm::kBool:
      return f(std::uint8_t{});
    case ColumnForm::kInt1:
      return f(static_cast<signed char>(0));
    case ColumnForm::kInt2:
      return f(std::int16_t{});
    case ColumnForm::kInt4:
      return f(std::int32_t{});
    case ColumnForm::kOid:
      return f(std::uint32_t{});
    case ColumnForm::kFloat4:
      return f(float{});
    case ColumnForm::kFloat8:
      return f(double{});
    case ColumnForm::kInt8:
    case ColumnForm::kDatum:
      return f(std::int64_t{});
  }
}

std::uint64_t HashDatum(const KeyType& key, Datum value) {
  switch (key.kind) {
    case Kind::kBytes: {
      const std::string_view bytes = VarData(value);
      return XXH3_64bits(bytes.data(), bytes.size());
    }
    case Kind::kFixed:
      return XXH3_64bits(DatumGetPointer(value), key.length);
    default:
      return Mix(key.ops->hash_extended(value, 0), 0);
  }
}

bool EqualDatum(const KeyType& key, Datum a, Datum b) {
  switch (key.kind) {
    case Kind::kBytes:
      return VarData(a) == VarData(b);
    case Kind::kFixed:
      return std::memcmp(DatumGetPointer(a), DatumGetPointer(b), key.length) == 0;
    default:
      return key.ops->equal(a, b);
  }
}

// Which types can be compared across: 0 for those that only compare with themselves.
int Family(Oid type) {
  switch (type) {
    case kInt2Oid:
    case kInt4Oid:
    case kInt8Oid:
      return 1;
    case kFloat4Oid:
    case kFloat8Oid:
      return 2;
    case kTextOid:
    case kVarcharOid:
      return 3;
    default:
      return 0;
  }
}

}  // namespace

Result<KeyType> KeyTypeOf(const ColumnType& type) {
  // The database's default, "C" and "POSIX" are deterministic, as are all that initdb makes.
  if (type.collation >= kFirstNormalObjectId)
    return Fail(NotSupported(Format("COLLATION {}", type.collation)));
  KeyType key;
  key.form = type.form;
  switch (type.form) {
    case ColumnForm::kFloat4:
    case ColumnForm::kFloat8:
      key.kind = Kind::kFloat;
      return key;
    case ColumnForm::kDatum:
      break;
    default:
      key.kind = Kind::kInteger;
      return key;
  }
  if (type.type == kTextOid || type.type == kVarcharOid || type.type == kByteaOid) {
    key.kind = Kind::kBytes;
    return key;
  }
  if (type.type == kUuidOid) {
    key.kind = Kind::kFixed;
    key.length = static_cast<std::uint16_t>(type.typlen);
    return key;
  }
  key.kind = Kind::kOther;
  key.ops = FindTypeOps(type.type);
  if (key.ops == nullptr) return Fail(NotSupported("a key of type " + FormatType(type.type)));
  return key;
}

Status CheckComparable(const ColumnType& a, const ColumnType& b) {
  if (a.type == b.type) return {};
  const int family = Family(a.type);
  if (family != 0 && family == Family(b.type)) return {};
  return Fail(NotSupported(FormatType(a.type) + " = " + FormatType(b.type)));
}

void HashKey(const KeyType& key, const BatchColumn& column, std::size_t rows, bool combine,
             std::uint64_t* hashes) {
  const auto put = [&](auto word_hash) {
    if (combine) {
      for (std::size_t i = 0; i < rows; ++i) hashes[i] = Mix(hashes[i], word_hash(i));
    } else {
      for (std::size_t i = 0; i < rows; ++i) hashes[i] = word_hash(i);
    }
  };
  if (key.form != ColumnForm::kDatum) {
    WithNativeType(key.form, [&](auto zero) {
      using T = decltype(zero);
      const T* values = static_cast<const T*>(column.values);
      if (column.nulls == nullptr) {
        put([&](std::size_t i) { return Mix(WordOf(values[i]), 0); });
      } else {
        put([&](std::size_t i) {
          return column.nulls[i] != 0 ? kNullHash : Mix(WordOf(values[i]), 0);
        });
      }
    });
  } else {
    const Datum* values = column.data<Datum>();
    put([&](std::size_t i) { return column.isnull(i) ? kNullHash : HashDatum(key, values[i]); });
  }
}

void CompareKey(const KeyType& stored_key, const RowLayout& layout, std::size_t stored_column,
                std::span<const StoredRow* const> stored, const KeyType& key,
                const BatchColumn& column, std::span<const std::uint32_t> rows, bool nulls_equal,
                std::uint8_t* equal) {
  const std::size_t n = stored.size();
  const std::size_t offset = layout.offset(stored_column);
  if (key.form == ColumnForm::kDatum) {
    const Datum* values = column.data<Datum>();
    for (std::size_t i = 0; i < n; ++i) {
      if (equal[i] == 0) continue;
      const bool a_null =
          layout.has_nulls(stored_column) && layout.isnull(stored[i], stored_column);
      const bool b_null = column.isnull(rows[i]);
      if (a_null || b_null) {
        equal[i] = nulls_equal && a_null && b_null ? 1 : 0;
      } else {
        equal[i] = EqualDatum(key, layout.value(stored[i], stored_column), values[rows[i]]) ? 1 : 0;
      }
    }
    return;
  }
  // NULLs settled first: what they decide does not hang on the values beneath them.
  const bool any_null = column.nulls != nullptr || layout.has_nulls(stored_column);
  const auto compare = [&](auto stored_zero, auto zero) {
    using S = decltype(stored_zero);
    using T = decltype(zero);
    const T* values = static_cast<const T*>(column.values);
    for (std::size_t i = 0; i < n; ++i) {
      const S value = LoadAs<S>(reinterpret_cast<const char*>(stored[i]) + offset);
      bool same = WordOf(value) == WordOf(values[rows[i]]);
      if (any_null) [[unlikely]] {
        const bool a_null = layout.isnull(stored[i], stored_column);
        const bool b_null = column.isnull(rows[i]);
        if (a_null || b_null) same = nulls_equal && a_null && b_null;
      }
      equal[i] &= static_cast<std::uint8_t>(same);
    }
  };
  if (stored_key.form == key.form) {
    WithNativeType(key.form, [&](auto zero) { compare(zero, zero); });
  } else {
    WithNativeType(stored_key.form, [&](auto stored_zero) {
      using S = decltype(stored_zero);
      WithNativeType(key.form, [&](auto zero) {
        // Only forms of one family meet (CheckComparable).
        if constexpr (std::is_floating_point_v<S> == std::is_floating_point_v<decltype(zero)>)
          compare(S{}, zero);
      });
    });
  }
}

}  // namespace relcache
