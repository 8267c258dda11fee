#include "relcache/types/regex/regex_cache.h"

#include <algorithm>

namespace relcache {

Result<const Regex*> RegexCache::Get(std::string_view pattern, const RegexFlags& flags,
                                     const RegexLocale& locale, ServerVersion version,
                                     Regex::Use use) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) {
    return e->pattern == pattern && e->flags == flags && e->locale == locale &&
           e->version == version.num && e->use == use;
  });
  if (found != entries_.end()) {
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front()->regex;
  }
  auto entry = std::make_unique<Entry>();
  entry->pattern = pattern;
  entry->flags = flags;
  entry->locale_name = locale.name;
  entry->locale = locale;
  entry->locale.name = entry->locale_name;
  entry->version = version.num;
  entry->use = use;
  entry->cx = AllocSet::CreateRoot("regular expression of a row", kSmallBlocks);
  RELCACHE_ASSIGN(entry->regex, Regex::Compile(pattern, flags, locale, version, use, *entry->cx));
  if (entries_.size() == kMost) entries_.pop_back();
  entries_.insert(entries_.begin(), std::move(entry));
  return entries_.front()->regex;
}

}  // namespace relcache
