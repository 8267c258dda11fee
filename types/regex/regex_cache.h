// Regular expressions that rows brought, kept for the rows that follow.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/types/regex/regex.h"

namespace relcache {

/// The last few expressions, as many as the server keeps. Thread safety: one thread at a time.
class RegexCache {
 public:
  /// As Regex::Compile. Lifetime: until as many others have been asked for.
  Result<const Regex*> Get(std::string_view pattern, const RegexFlags& flags,
                           const RegexLocale& locale, ServerVersion version, Regex::Use use);

 private:
  static constexpr std::size_t kMost = 32;
  struct Entry {
    std::string pattern;
    RegexFlags flags;
    RegexLocale locale;
    std::string locale_name;
    std::int32_t version = 0;
    Regex::Use use = Regex::Use::kMatch;
    ContextPtr cx;
    const Regex* regex = nullptr;
  };
  /// The latest first.
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace relcache
