// Derived values are objects that other code makes from a cached expression or relation, such as a
// compiled program or a routing table. A value is built once, shared by all threads, never changed,
// and freed together with the cache entry. PostgreSQL keeps comparable values in RelationData
// (rd_partkey, rd_indexprs ...).
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
/// One object per type T; its address identifies the type.
template <class T>
inline constexpr char kDerivedType = 0;
}  // namespace internal

/// The argument of a function that builds a derived value.
class DerivedBuild {
 public:
  /// The memory context for the value and all its parts. It belongs to this value and is freed with
  /// the entry.
  MemoryContext& cx() const noexcept { return cx_; }
  /// Records that the value depends on an object to which the expression itself does not refer,
  /// such as the base type of a domain. This must be called *before* the object is looked up: a
  /// change after the call then drops the entry, and the look-up sees any change before it.
  /// Errors: std::bad_alloc.
  void DependsOn(InvalidationKind kind, Oid oid) const;

 private:
  friend class DerivedValues;
  DerivedBuild(internal::CacheEntry& entry, internal::DerivedValue& value, MemoryContext& cx)
      : entry_(entry), value_(value), cx_(cx) {}
  internal::CacheEntry& entry_;
  internal::DerivedValue& value_;
  MemoryContext& cx_;
};

/// The values derived from one expression or relation. A value is identified by its C++ type and a
/// variant, a number that the caller chooses to distinguish several values of one type. relcache
/// itself keeps values of the types Program and RelationConstraints here; use types of your own.
/// Thread safety: any thread that holds a pin on the entry may make any call.
class DerivedValues {
 public:
  /// The maximal number of values. A caller whose variants depend on something that it does not
  /// control, such as session settings, must be able to go on without a kept value when the maximum
  /// is reached.
  static constexpr int kMaxValues = 64;

  /// For use by the cache only.
  explicit DerivedValues(internal::CacheEntry& entry) noexcept : entry_(&entry) {}
  DerivedValues(const DerivedValues&) = delete;
  DerivedValues& operator=(const DerivedValues&) = delete;
  ~DerivedValues();

  /// Returns the T of this variant. The first call builds it with `build`, a function of the form
  /// build(DerivedBuild&) -> Result<const T*>; other calls for the same value wait.
  ///
  /// Lifetime: that of the entry; use the value only while holding a pin.
  /// Cost: if the value exists, a walk along a list of at most kMaxValues elements, usually one.
  /// Errors: what `build` returns. The error is kept and returned to all later callers, unless it
  /// may be temporary (kSource, kIo), in which case the next caller tries again. The next caller
  /// also tries again after an exception, which is passed on. kLimit if kMaxValues other values
  /// exist. It is an error if a build needs its own value; builds of different values must not wait
  /// for each other in a cycle.
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

  /// The bytes of the values' contexts and of the list.
  /// Cost: a walk along the list.
  std::size_t bytes() const noexcept;
  /// The unused part of these bytes, in the blocks of the contexts.
  /// Cost: a walk along the list.
  std::size_t bytes_free() const noexcept;
  /// The entry that the values belong to. For use by the cache only.
  internal::CacheEntry& entry() const noexcept { return *entry_; }

 private:
  using BuildFunction = Result<const void*> (*)(void* stored, DerivedBuild& place);

  const void* Find(const void* type, std::uint64_t variant) const noexcept;
  Result<const void*> Make(const void* type, std::uint64_t variant, BuildFunction build,
                           void* stored) const;
  Result<internal::DerivedValue*> Place(const void* type, std::uint64_t variant) const;

  internal::CacheEntry* entry_;
  /// Elements are added at the front and never removed, so readers need no lock.
  mutable std::atomic<internal::DerivedValue*> first_{nullptr};
};

}  // namespace relcache
