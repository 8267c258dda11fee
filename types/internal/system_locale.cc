#include "relcache/types/internal/system_locale.h"

#include <clocale>
#include <map>
#include <memory>

#include "relcache/base/mutex.h"

// Defined by the build where ICU was found, and 0 to the preprocessor elsewhere.
#if RELCACHE_HAVE_ICU
#include <unicode/ucol.h>
#endif

namespace relcache {

locale_t LibcUtf8Locale() {
  static const locale_t locale = [] {
    for (const char* name : {"C.UTF-8", "C.utf8"})
      if (const locale_t found = newlocale(LC_CTYPE_MASK, name, nullptr); found != nullptr)
        return found;
    return static_cast<locale_t>(nullptr);
  }();
  return locale;
}

bool HasIcu() {
  return RELCACHE_HAVE_ICU != 0;
}

#if RELCACHE_HAVE_ICU
namespace {

std::string VersionOf(const std::string& locale) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCollator, decltype(&ucol_close)> collator(
      ucol_open(locale.c_str(), &status), &ucol_close);
  if (U_FAILURE(status)) return "";
  UVersionInfo version;
  ucol_getVersion(collator.get(), version);
  char text[U_MAX_VERSION_STRING_LENGTH];
  u_versionToString(version, text);
  return text;
}

/// The versions that were asked for. A catalog has hundreds of locales, and each expression over
/// text asks for one of them.
class Versions {
 public:
  std::string Of(std::string_view locale) {
    {
      const sync::MutexLock lock(mutex_);
      const auto found = known_.find(locale);
      if (found != known_.end()) return found->second;
    }
    const std::string name(locale);
    std::string version = VersionOf(name);
    const sync::MutexLock lock(mutex_);
    if (known_.size() >= kMost) known_.clear();
    known_.insert_or_assign(name, version);
    return version;
  }

 private:
  static constexpr std::size_t kMost = 2000;
  sync::Mutex mutex_;
  std::map<std::string, std::string, std::less<>> known_ RELCACHE_GUARDED_BY(mutex_);
};

}  // namespace
#endif

std::string IcuCollationVersion([[maybe_unused]] std::string_view locale) {
#if RELCACHE_HAVE_ICU
  static Versions versions;
  return versions.Of(locale);
#else
  return "";
#endif
}

}  // namespace relcache
