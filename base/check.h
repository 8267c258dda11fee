// RELCACHE_CHECK and its relatives find programmer errors: violated preconditions and broken
// invariants. A check that fails prints its place and both values and stops the process. They
// correspond to PostgreSQL's Assert, but release builds check too. Invalid input is never reported
// this way; it yields an Error (result.h).
#pragma once

#include <sstream>
#include <string>

namespace relcache::internal {

/// Prints the failed check to stderr and aborts.
[[noreturn, gnu::cold]] void CheckFailed(const char* file, int line, const char* expression,
                                         const std::string& values);

// Formats both sides of a failed comparison. It is a separate function, so that the stream is made
// only after a failure.
template <class A, class B>
[[gnu::cold, gnu::noinline]] std::string TwoValues(const A& a, const B& b) {
  std::ostringstream out;
  out << a << " against " << b;
  return out.str();
}

}  // namespace relcache::internal

#define RELCACHE_CHECK(condition)                                                       \
  do {                                                                                  \
    if (!(condition)) [[unlikely]]                                                      \
      ::relcache::internal::CheckFailed(__FILE__, __LINE__, #condition, std::string()); \
  } while (false)

#define RELCACHE_CHECK_OP_(a, op, b)                                  \
  do {                                                                \
    const auto& relcache_a_ = (a);                                    \
    const auto& relcache_b_ = (b);                                    \
    if (!(relcache_a_ op relcache_b_)) [[unlikely]]                   \
      ::relcache::internal::CheckFailed(                              \
          __FILE__, __LINE__, #a " " #op " " #b,                      \
          ::relcache::internal::TwoValues(relcache_a_, relcache_b_)); \
  } while (false)
#define RELCACHE_CHECK_EQ(a, b) RELCACHE_CHECK_OP_(a, ==, b)
#define RELCACHE_CHECK_NE(a, b) RELCACHE_CHECK_OP_(a, !=, b)
#define RELCACHE_CHECK_LT(a, b) RELCACHE_CHECK_OP_(a, <, b)
#define RELCACHE_CHECK_LE(a, b) RELCACHE_CHECK_OP_(a, <=, b)

/// A check that costs too much for a release. It is compiled only into debug builds and builds with
/// RELCACHE_CHECKING.
#if !defined(NDEBUG) || defined(RELCACHE_CHECKING)
#define RELCACHE_DCHECK(condition) RELCACHE_CHECK(condition)
#else
#define RELCACHE_DCHECK(condition) \
  do {                             \
  } while (false)
#endif
