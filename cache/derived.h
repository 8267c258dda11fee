// Where other rooms keep what they made of a cached expression or relation: a compiled program, a
// routing table. It is built once, shared by all, never changed, and dies with the entry.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "relcache/base/result.h"
#include "relcache/cache/dependencies.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

namespace internal {
class CacheEntry;
struct DerivedValue;
/// One per type; its address tells types apart.
template <class T>
inline constexpr char kDerivedType = 0;
}  // namespace internal

/// What a builder of a derived value is given.
class DerivedBuild {
 public:
  /// Where the value and all it consists of go: a context of the value's own, freed with the entry.
  MemoryContext& cx() const noexcept { return cx_; }
  /// Records that the value depends on an object that the expression itself does not name: a
  /// domain's base type, a function that was inlined. To be called *before* the object is looked
  /// up: a change after the call drops the entry, one before it is seen by the look-up. Errors:
  /// std::bad_alloc.
  void DependsOn(InvalidationKind kind, Oid oid) const;

 private:
  friend class DerivedValues;
  DerivedBuild(internal::CacheEntry& entry, internal::DerivedValue& value, MemoryContext& cx)
      : entry_(entry), value_(value), cx_(cx) {}
  internal::CacheEntry& entry_;
  internal::DerivedValue& value_;
  MemoryContext& cx_;
};

/// The values derived from one thing, by type and variant.
/// Thread safety: all calls from any thread that holds a pin on the entry.
class DerivedValues {
 public:
  /// As many can be kept. A caller that makes variants of what it does not control (session
  /// settings) must be ready to build for itself beyond that.
  static constexpr int kMaxValues = 64;

  /// For the cache.
  explicit DerivedValues(internal::CacheEntry& entry) noexcept : entry_(&entry) {}
  DerivedValues(const DerivedValues&) = delete;
  DerivedValues& operator=(const DerivedValues&) = delete;
  ~DerivedValues();

  /// The T of that variant; built by `build` if this is the first call for it, while others that
  /// want the same one wait. build(DerivedBuild&) -> Result<const T*>.
  ///
  /// Lifetime: the entry's; usable while a pin on it is held.
  /// Cost: when it is there, a walk along a list of at most kMaxValues, usually one.
  /// Errors: what `build` returns. It is remembered and given to all later callers, unless it is
  /// one that may pass (kSource, kIo): then the next caller tries again, as after an exception,
  /// which flies on. kLimit: kMaxValues other values are there. An expression that is built from
  /// within its own build is an error; builders of different values must not wait for each other in
  /// a ring.
  template <class T, std::invocable<DerivedBuild&> Build>
  Result<const T*> Get(std::uint64_t variant, Build&& build) const {
    static_assert(std::is_same_v<std::invoke_result_t<Build, DerivedBuild&>, Result<const T*>>);
    const void* const type = &internal::kDerivedType<T>;
    if (const void* value = Find(type, variant)) [[likely]]
      return static_cast<const T*>(value);
    auto call = [&build](DerivedBuild& place) -> Result<const void*> {
      RELCACHE_ASSIGN(const T* value, std::invoke(build, place));
      return static_cast<const void*>(value);
    };
    auto result = Make(
        type, variant,
        [](void* stored, DerivedBuild& place) {
          return (*static_cast<decltype(call)*>(stored))(place);
        },
        &call);
    if (!result) return Fail(std::move(result).error());
    return static_cast<const T*>(*result);
  }

  /// Bytes of the values' contexts and of what keeps them. Cost: a walk along the list.
  std::size_t bytes() const noexcept;
  /// Of them, bytes of the contexts' blocks that nothing was put in. Cost: as bytes.
  std::size_t bytes_free() const noexcept;
  /// The entry that the values belong to.
  internal::CacheEntry& entry() const noexcept { return *entry_; }

 private:
  using BuildFunction = Result<const void*> (*)(void* stored, DerivedBuild& place);

  const void* Find(const void* type, std::uint64_t variant) const noexcept;
  Result<const void*> Make(const void* type, std::uint64_t variant, BuildFunction build,
                           void* stored) const;
  Result<internal::DerivedValue*> Place(const void* type, std::uint64_t variant) const;

  internal::CacheEntry* entry_;
  /// Pushed at the front; nothing is ever taken out.
  mutable std::atomic<internal::DerivedValue*> first_{nullptr};
};

}  // namespace relcache
