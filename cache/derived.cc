#include "relcache/cache/derived.h"

#include <memory>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/cache/build_once.h"
#include "relcache/cache/internal/entry_store.h"

namespace relcache {

namespace internal {

/// A derived value, or its place while it is being built. It never moves and is freed with its
/// list.
struct DerivedValue {
  DerivedValue(const void* value_type, std::uint64_t value_variant) noexcept
      : type(value_type), variant(value_variant) {}
  ~DerivedValue() {
    while (links != nullptr) delete std::exchange(links, links->next_owned);
  }

  /// A dependency that was found while building. It is owned here and linked into the entry and the
  /// index by its base class.
  struct OwnedLink : DependencyLink {
    OwnedLink* next_owned = nullptr;
  };

  std::size_t bytes() const noexcept {
    std::size_t sum = sizeof(DerivedValue);
    if (once.ready() == nullptr) return sum;
    for (const OwnedLink* link = links; link != nullptr; link = link->next_owned) {
      sum += sizeof(OwnedLink);
    }
    return sum + context->bytes_reserved();
  }

  std::size_t bytes_free() const noexcept {
    return once.ready() == nullptr ? 0 : context->bytes_reserved() - context->bytes_used();
  }

  const void* const type;
  const std::uint64_t variant;
  BuildOnce once;
  DerivedValue* next = nullptr;
  // Only the building thread uses these until it publishes the value; afterwards they are not
  // written.
  ContextPtr context;
  std::unique_ptr<const Error> error;
  OwnedLink* links = nullptr;
};

}  // namespace internal

using internal::BuildOnce;
using internal::DerivedValue;

void DerivedBuild::DependsOn(InvalidationKind kind, Oid oid) const {
  const EntryDependency on{kind, oid};
  for (const auto* link = value_.links; link != nullptr; link = link->next_owned) {
    if (link->on == on) return;  // recorded before, maybe by an earlier attempt, and still correct
  }
  auto* link = new DerivedValue::OwnedLink;
  link->on = on;
  link->entry = &entry_;
  link->next_owned = value_.links;
  value_.links = link;
  entry_.store().AddDependency(entry_, *link);
}

DerivedValues::~DerivedValues() {
  DerivedValue* value = first_.load(std::memory_order_acquire);
  while (value != nullptr) delete std::exchange(value, value->next);
}

std::size_t DerivedValues::bytes() const noexcept {
  std::size_t sum = 0;
  const DerivedValue* value = first_.load(std::memory_order_acquire);
  for (; value != nullptr; value = value->next) sum += value->bytes();
  return sum;
}

std::size_t DerivedValues::bytes_free() const noexcept {
  std::size_t sum = 0;
  const DerivedValue* value = first_.load(std::memory_order_acquire);
  for (; value != nullptr; value = value->next) sum += value->bytes_free();
  return sum;
}

const void* DerivedValues::Find(const void* type, std::uint64_t variant) const noexcept {
  const DerivedValue* value = first_.load(std::memory_order_acquire);
  for (; value != nullptr; value = value->next) {
    if (value->type == type && value->variant == variant) return value->once.ready();
  }
  return nullptr;
}

/// Returns the place of a value, making it if necessary. Places are added only at the front, so if
/// a place was not found and the front has not changed since, the place does not exist.
Result<DerivedValue*> DerivedValues::Place(const void* type, std::uint64_t variant) const {
  std::unique_ptr<DerivedValue> fresh;
  DerivedValue* front = first_.load(std::memory_order_acquire);
  for (;;) {
    int count = 0;
    for (DerivedValue* value = front; value != nullptr; value = value->next, ++count) {
      if (value->type == type && value->variant == variant) return value;
    }
    if (count >= kMaxValues) {
      return Fail(ErrorCode::kLimit, "54000",
                  Format("too many values derived from one expression (limit {})", kMaxValues));
    }
    if (fresh == nullptr) fresh = std::make_unique<DerivedValue>(type, variant);
    fresh->next = front;
    if (first_.compare_exchange_weak(front, fresh.get(), std::memory_order_acq_rel)) {
      return fresh.release();
    }
  }
}

Result<const void*> DerivedValues::Make(const void* type, std::uint64_t variant,
                                        BuildFunction build, void* stored) const {
  RELCACHE_ASSIGN(DerivedValue * value, Place(type, variant));
  switch (value->once.Enter()) {
    case BuildOnce::Turn::kReady:
      return value->once.value();
    case BuildOnce::Turn::kFailed:
      return Fail(*value->error);
    case BuildOnce::Turn::kRecursive:
      return Fail(ErrorCode::kEvaluation, "XX000", "a derived value was asked for by its builder");
    case BuildOnce::Turn::kBuild:
      break;
  }
  try {
    ContextPtr context = Bump::CreateRoot("derived value", kSmallBlocks);
    DerivedBuild place(*entry_, *value, *context);
    Result<const void*> built = build(stored, place);
    if (!built) {
      const bool may_pass =
          built.error().code == ErrorCode::kSource || built.error().code == ErrorCode::kIo;
      if (may_pass) {
        value->once.Abandon();
      } else {
        value->error = std::make_unique<const Error>(built.error());
        value->once.Fail(value->error.get());
      }
      return built;
    }
    value->context = std::move(context);
    value->once.Publish(*built);
    entry_->store().Grow(*entry_, value->bytes());
    return built;
  } catch (...) {
    value->once.Abandon();
    throw;
  }
}

}  // namespace relcache
