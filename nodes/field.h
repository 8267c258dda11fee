// How a node type is declared once: by its members and a constexpr table of fields, in the order in
// which PostgreSQL writes them. Every operation (read, write, copy, equal, walk, hash, JSON ...) is
// implemented once, for a field of such a table. PostgreSQL has a function for each type and
// operation instead (readfuncs.c, outfuncs.c, copyfuncs.c, equalfuncs.c).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "relcache/nodes/node.h"
#include "relcache/types/datum.h"

namespace relcache {

/// The versions of PostgreSQL whose trees can be read and written.
inline constexpr int kOldestPgVersion = 10;
inline constexpr int kNewestPgVersion = 18;
/// The version that is assumed if none is given.
inline constexpr int kDefaultPgVersion = 15;

/// A name that a node type has in the text form of some versions.
struct NodeLabel {
  std::string_view text;
  /// The first and the last major version that writes the name.
  std::uint8_t since = kOldestPgVersion, until = kNewestPgVersion;

  constexpr NodeLabel(const char* label) : text(label) {}  // NOLINT: most are just the text
  constexpr NodeLabel(const char* label, std::uint8_t first, std::uint8_t last)
      : text(label), since(first), until(last) {}
};
/// The label from this version on, or up to and including it.
constexpr NodeLabel SinceVersion(std::uint8_t version, const char* label) {
  return {label, version, kNewestPgVersion};
}
constexpr NodeLabel UntilVersion(std::uint8_t version, const char* label) {
  return {label, kOldestPgVersion, version};
}

/// Whether Equal compares a field.
enum class FieldCompare : std::uint8_t {
  kAlways,
  kNever,       ///< does not affect the meaning: it says how the node was written, or was filled in
                ///< later
  kUnlessZero,  ///< compared only if neither side is zero, because it is filled in later
};

/// The kind of object that an oid in a node refers to.
enum class ObjectKind : std::uint8_t {
  kNone,
  kType,
  kFunction,
  kOperator,
  kCollation,
  kRelation,
  kConstraint,
  kOperatorFamily,
  kOperatorClass,
  kRole,
};

/// How a field differs from the usual one, which all versions write and Equal compares.
struct FieldRule {
  /// The first and the last major version that writes the field.
  std::uint8_t since = kOldestPgVersion, until = kNewestPgVersion;
  FieldCompare compare = FieldCompare::kAlways;
  ObjectKind names = ObjectKind::kNone;
  /// For a RangeTblEntry: the rtekinds for which the field is written, as bits.
  std::uint16_t rtekinds = 0xffff;
};

/// How a member is stored in memory and in the text.
enum class FieldKind : std::uint8_t {
  kNumber,     ///< any integer or enum, in decimal
  kBool,       ///< true, false
  kChar,       ///< one character, <> for none
  kBoolWord,   ///< BoolExprType: and, or, not
  kDouble,     ///< a row estimate
  kString,     ///< CString
  kNode,       ///< Child<T>: a node, a list, or <>
  kBitmapset,  ///< Child<Bitmapset>: (b 1 2)
  kDatum,      ///< the value of a Const
};

namespace internal {

/// The rule of a member that is never written, because it is a note about the text that the node
/// was read from.
inline constexpr FieldRule kUnwritten{.since = 99, .until = 0, .compare = FieldCompare::kNever};

/// A set of versions with a bit for each.
inline constexpr std::uint32_t kAllVersions =
    (std::uint32_t{2} << kNewestPgVersion) - (std::uint32_t{1} << kOldestPgVersion);

/// The smallest and the largest value of an enum. An enum without this cannot be a field.
struct EnumRange {
  std::int64_t low = 0, high = -1;
};
template <class E>
inline constexpr EnumRange kEnumRange{};

}  // namespace internal

/// Declares the first and the last enumerator of an enum.
#define RELCACHE_ENUM_RANGE(E, first, last)                     \
  template <>                                                   \
  inline constexpr internal::EnumRange internal::kEnumRange<E>{ \
      static_cast<std::int64_t>(E::first), static_cast<std::int64_t>(E::last)};

/// The type of child that a kNode field can have: any node, any expression, or (its tag) exactly
/// one type.
inline constexpr std::uint16_t kAnyNode = 0xffff, kAnyExpr = 0xfffe;

/// One member of a node type and its text form.
struct NodeField {
  std::array<char, 32> text{};  ///< " :label default", padded with zeros
  std::uint8_t length = 0;      ///< the length of " :label " in it
  std::uint8_t usual = 0;    ///< the length of the whole text; 0 if the default has no short form
  std::uint8_t size = 0;     ///< the size of the member in bytes
  std::uint16_t offset = 0;  ///< the offset of the member in the struct
  FieldKind kind{};
  FieldRule rule{};
  std::uint32_t versions = internal::kAllVersions;  ///< the versions of `rule`, as bits
  std::uint16_t child = kAnyNode;                   ///< for a kNode: what the child may be
  bool is_signed = true;                            ///< whether a kNumber has a sign
  std::int64_t low = 0, high = 0;  ///< the smallest and the largest value of a kNumber
  std::uint64_t initial = 0;       ///< the bytes of the default; null is 0

  constexpr std::string_view label() const { return {text.data() + 2, length - 3u}; }
  /// Whether this version writes the field. The first comparison is known at compile time for a
  /// field of all versions, so that no test remains.
  constexpr bool written_in(int version) const {
    return versions == internal::kAllVersions || (versions >> version & 1) != 0;
  }
};

enum class BoolExprType : std::uint8_t;
enum class CoercionForm : std::uint8_t;

namespace internal {

template <class M>
inline constexpr bool kIsChild = false;
template <class T>
inline constexpr bool kIsChild<Child<T>> = true;

template <class M>
inline constexpr std::uint16_t kChildType = kAnyNode;
template <class T>
inline constexpr std::uint16_t kChildType<Child<T>> = static_cast<std::uint16_t>(kTagOf<T>);
template <>
inline constexpr std::uint16_t kChildType<Child<Node>> = kAnyNode;
template <>
inline constexpr std::uint16_t kChildType<Child<Expr>> = kAnyExpr;

/// The text of a member's default value; empty if it has no short form.
template <class M>
constexpr std::string_view DefaultText(const M& value) {
  if constexpr (std::is_same_v<M, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<M, char>)
    return value == 0 ? "<>" : "";
  else if constexpr (std::is_same_v<M, BoolExprType>)
    return value == M{} ? "and" : "";
  else if constexpr (std::is_same_v<M, Child<Bitmapset>>)
    return "(b)";
  else if constexpr (std::is_same_v<M, CString> || kIsChild<M>)
    return "<>";
  else if constexpr (std::is_integral_v<M> || std::is_enum_v<M>) {
    const auto number = static_cast<std::int64_t>(value);
    return number == 0 ? "0" : number == 1 ? "1" : number == -1 ? "-1" : "";
  }
  return "";
}

/// Makes the field for a member. Kind and range follow from the type of the member.
template <class M>
constexpr NodeField MakeField(std::string_view label, std::size_t offset, const M& initial,
                              FieldRule rule = {}) {
  NodeField f;
  std::size_t n = 0;
  for (const char c : std::string_view(" :")) f.text[n++] = c;
  for (const char c : label) f.text[n++] = c;
  f.text[n++] = ' ';
  f.length = static_cast<std::uint8_t>(n);
  if constexpr (!std::is_same_v<M, Datum> && !std::is_same_v<M, double>) {
    for (const char c : DefaultText(initial)) f.text[n++] = c;
    f.usual = static_cast<std::uint8_t>(n > f.length ? n : 0);
    if constexpr (std::is_integral_v<M> || std::is_enum_v<M>)
      f.initial = static_cast<std::uint64_t>(initial) & (~std::uint64_t{0} >> (64 - 8 * sizeof(M)));
  }
  f.size = sizeof(M);
  f.offset = static_cast<std::uint16_t>(offset);
  f.rule = rule;
  if (rule.since > rule.until)
    f.versions = 0;
  else
    f.versions = (std::uint32_t{2} << rule.until) - (std::uint32_t{1} << rule.since);
  if constexpr (std::is_same_v<M, ParseLoc> || std::is_same_v<M, CoercionForm>)
    f.rule.compare = FieldCompare::kNever;
  if constexpr (std::is_same_v<M, bool>) {
    f.kind = FieldKind::kBool;
  } else if constexpr (std::is_same_v<M, char>) {
    f.kind = FieldKind::kChar;
  } else if constexpr (std::is_same_v<M, double>) {
    f.kind = FieldKind::kDouble;
  } else if constexpr (std::is_same_v<M, CString>) {
    f.kind = FieldKind::kString;
  } else if constexpr (std::is_same_v<M, Datum>) {
    f.kind = FieldKind::kDatum;
  } else if constexpr (std::is_same_v<M, Child<Bitmapset>>) {
    f.kind = FieldKind::kBitmapset;
    f.child = kChildType<M>;
  } else if constexpr (kIsChild<M>) {
    f.kind = FieldKind::kNode;
    f.child = kChildType<M>;
  } else if constexpr (std::is_enum_v<M> && !std::is_same_v<M, ParseLoc>) {
    static_assert(kEnumRange<M>.low <= kEnumRange<M>.high, "RELCACHE_ENUM_RANGE is missing");
    if constexpr (std::is_same_v<M, BoolExprType>) f.kind = FieldKind::kBoolWord;
    f.low = kEnumRange<M>.low;
    f.high = kEnumRange<M>.high;
    f.is_signed = std::is_signed_v<std::underlying_type_t<M>>;
  } else {
    static_assert(std::is_integral_v<M> || std::is_same_v<M, ParseLoc>, "no kind of field");
    f.is_signed = !std::is_unsigned_v<M>;
    const int bits = 8 * static_cast<int>(sizeof(M)) - (f.is_signed || sizeof(M) == 8 ? 1 : 0);
    f.high = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
    f.low = f.is_signed ? -f.high - 1 : 0;
  }
  return f;
}

}  // namespace internal
}  // namespace relcache
