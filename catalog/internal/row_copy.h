// Deep copies of rows, and their comparison.
#pragma once

#include <algorithm>
#include <concepts>

#include "relcache/catalog/internal/row_columns.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A copy that shares no byte with its source. An empty text or array becomes a null one. Cost: one
/// allocation a non-empty text or array.
template <CatalogRow Row>
Row CopyRow(const Row& row, MemoryContext& cx);

/// Whether two rows say the same, texts and arrays by content.
template <CatalogRow Row>
bool EqualRows(const Row& a, const Row& b);

namespace internal {

inline std::string_view CopyValue(std::string_view text, MemoryContext& cx) {
  return text.empty() ? std::string_view() : cx.CopyString(text);
}
template <CatalogRow Row>
Row CopyValue(const Row& row, MemoryContext& cx) {
  return CopyRow(row, cx);
}
template <CatalogRow Row>
const Row* CopyValue(const Row* row, MemoryContext& cx) {
  return row == nullptr ? nullptr : cx.New<Row>(CopyRow(*row, cx));
}
template <class T>
requires std::is_arithmetic_v<T> T CopyValue(T value, MemoryContext&) {
  return value;
}
template <class T>
std::span<const T> CopyValue(std::span<const T> values, MemoryContext& cx) {
  if (values.empty()) return {};
  const std::span<T> copy = cx.NewArray<T>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) copy[i] = CopyValue(values[i], cx);
  return copy;
}

template <class T>
requires(!CatalogRow<T>) bool EqualValues(const T& a, const T& b) {
  return a == b;
}
template <CatalogRow Row>
bool EqualValues(const Row& a, const Row& b) {
  return EqualRows(a, b);
}
template <CatalogRow Row>
bool EqualValues(const Row* a, const Row* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return EqualRows(*a, *b);
}
template <class T>
bool EqualValues(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return EqualValues(x, y); });
}

}  // namespace internal

template <CatalogRow Row>
Row CopyRow(const Row& row, MemoryContext& cx) {
  Row copy = row;
  ForEachColumn<Row>([&](const auto& column) {
    copy.*column.member = internal::CopyValue(row.*column.member, cx);
  });
  return copy;
}

template <CatalogRow Row>
bool EqualRows(const Row& a, const Row& b) {
  bool equal = true;
  ForEachColumn<Row>([&](const auto& column) {
    equal = equal && internal::EqualValues(a.*column.member, b.*column.member);
  });
  return equal;
}

}  // namespace relcache
