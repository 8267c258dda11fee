#include "relcache/cache/internal/entry.h"

#include <memory>
#include <new>

#include "relcache/base/check.h"
#include "relcache/memory/align.h"

namespace relcache::internal {

CacheEntry::Ptr CacheEntry::Create(Oid oid, EntryStore& store, std::size_t expressions,
                                   std::size_t links) {
  constexpr std::size_t kExpressionsAt = AlignUp(sizeof(CacheEntry), alignof(ExpressionSlot));
  const std::size_t links_at =
      AlignUp(kExpressionsAt + expressions * sizeof(ExpressionSlot), alignof(DependencyLink));
  const std::size_t bytes = links_at + links * sizeof(DependencyLink);
  auto* place = static_cast<std::byte*>(::operator new(bytes));
  Ptr entry(::new (place) CacheEntry(oid, store));
  entry->expressions_ = reinterpret_cast<ExpressionSlot*>(place + kExpressionsAt);
  entry->expression_room_ = static_cast<std::uint32_t>(expressions);
  entry->first_link_ = reinterpret_cast<DependencyLink*>(place + links_at);
  entry->link_room_ = static_cast<std::uint32_t>(links);
  entry->bytes_.store(bytes, std::memory_order_relaxed);
  return entry;
}

void CacheEntry::Deleter::operator()(CacheEntry* entry) const noexcept {
  entry->~CacheEntry();
  ::operator delete(entry);
}

CacheEntry::~CacheEntry() {
  // Derived values point into trees, and descriptors point to the texts of expressions; so derived
  // values go first, and the body last.
  std::destroy_n(expressions_, expression_count_);
  std::destroy_n(first_link_, link_count_);
}

ExpressionSlot& CacheEntry::AddExpression(ExpressionKind kind, std::uint32_t row,
                                          std::string_view text) {
  RELCACHE_CHECK_LT(expression_count_, expression_room_);
  return *::new (expressions_ + expression_count_++) ExpressionSlot(*this, kind, row, text);
}

void CacheEntry::AddLink(const EntryDependency& on) {
  RELCACHE_CHECK_LT(link_count_, link_room_);
  auto* link = ::new (first_link_ + link_count_++) DependencyLink;
  link->on = on;
  link->entry = this;
  link->next = links;
  links = link;
}

std::size_t CacheEntry::bytes_free() const noexcept {
  std::size_t sum = body_->bytes_reserved() - body_->bytes_used() + derived_.bytes_free();
  for (const ExpressionSlot& slot : expressions()) sum += slot.bytes_free();
  return sum;
}

void CacheEntry::SetBody(ContextPtr body, const RelationDescriptor* descriptor) noexcept {
  bytes_.fetch_add(body->bytes_reserved(), std::memory_order_relaxed);
  body_ = std::move(body);
  descriptor_ = descriptor;
}

}  // namespace relcache::internal
