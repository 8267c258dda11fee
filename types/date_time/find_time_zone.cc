#include "relcache/types/date_time/find_time_zone.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "relcache/base/mutex.h"
#include "relcache/types/date_time/time_zone_reader.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

constexpr const char* kZoneInfo = "/usr/share/zoneinfo";
constexpr std::size_t kMaxName = 255;
constexpr std::int64_t kMaxFileSize = 1 << 20;
// POSIX specifications come from values, so many different ones must not be able to exhaust the
// memory.
constexpr std::size_t kMaxZones = 10000;

// The entry of a folder that equals `name`, ignoring case. Hidden entries are not found, so that no
// name leads out of the folder by "..".
std::string FindEntry(const std::string& folder, std::string_view name) {
  std::string found;
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(folder.c_str()), closedir);
  if (dir == nullptr) return found;
  while (const dirent* entry = readdir(dir.get())) {
    const std::string_view entry_name = entry->d_name;
    if (entry_name.starts_with('.') || !EqualNoCase(entry_name, name)) continue;
    found = entry_name;
    if (entry_name == name) break;
  }
  return found;
}

// The path below the zoneinfo folder that is `name` in any case, or nothing.
std::string FindZoneFile(std::string_view name) {
  std::string path;
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty()) return {};
    const std::string entry = FindEntry(std::string(kZoneInfo) + "/" + path, part);
    if (entry.empty()) return {};
    path += (path.empty() ? "" : "/") + entry;
    if (slash == std::string_view::npos) return path;
    name.remove_prefix(slash + 1);
  }
}

bool ReadFile(const std::string& path, std::string* bytes) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > kMaxFileSize)
    return false;
  std::ifstream file(path, std::ios::binary);
  bytes->assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return file.good() || file.eof();
}

std::string UpperCase(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), ToUpper);
  return out;
}

// Files that Debian's zoneinfo has and PostgreSQL's own does not, or that every machine sets for
// itself: what they mean on the server is not to be known here.
bool DependsOnInstallation(std::string_view file) {
  return file == "localtime" || file == "posixrules" || file.starts_with("posix/") ||
         file.starts_with("right/");
}

Result<std::unique_ptr<TimeZone>> ReadZone(std::string_view name, const std::string& upper) {
  // Never from a file, as in pg_tzset, which must always have this zone.
  if (upper == "GMT") return TimeZoneReader::FromPosix("GMT", "GMT0");
  // After a colon, only a file's name.
  const bool file_only = name.starts_with(':');
  if (file_only) name.remove_prefix(1);
  const std::string file = FindZoneFile(name);
  std::string bytes;
  if (DependsOnInstallation(file))
    return Fail(NotSupported("time zone \"" + file + "\", which depends on the installation"));
  if (!file.empty() && ReadFile(std::string(kZoneInfo) + "/" + file, &bytes)) {
    auto zone = TimeZoneReader::FromFile(file, bytes);
    if (zone || zone.error().code == ErrorCode::kNotSupported) return zone;
  }
  if (file_only) return Fail(ErrorCode::kInvalidInput, "22023", "no such time zone");
  return TimeZoneReader::FromPosix(upper, upper);
}

// Every zone that was asked for, by its name in upper case. None is ever removed, because pointers
// to them are given out for the life of the process. Names of no zone are not kept.
class ZoneCache {
 public:
  Result<const TimeZone*> Find(std::string_view name) {
    const std::string upper = UpperCase(name);
    const sync::MutexLock lock(mutex_);
    const auto found = zones_.find(upper);
    if (found != zones_.end()) return found->second.get();
    auto zone = ReadZone(name, upper);
    if (!zone) {
      if (zone.error().code == ErrorCode::kNotSupported) return Fail(std::move(zone).error());
      return nullptr;
    }
    if (zones_.size() >= kMaxZones)
      return Fail(ErrorCode::kLimit, "54000", "too many different time zones");
    return zones_.emplace(upper, std::move(*zone)).first->second.get();
  }

 private:
  sync::Mutex mutex_;
  std::map<std::string, std::unique_ptr<const TimeZone>> zones_ RELCACHE_GUARDED_BY(mutex_);
};

}  // namespace

const TimeZone& UtcZone() {
  static const std::unique_ptr<TimeZone> utc = *TimeZoneReader::FromPosix("UTC", "UTC0");
  return *utc;
}

Result<const TimeZone*> FindTimeZone(std::string_view name) {
  static ZoneCache cache;
  if (name.size() > kMaxName || name.find('\0') != std::string_view::npos) return nullptr;
  return cache.Find(name);
}

Result<const TimeZone*> FixedTimeZone(std::int64_t utc_offset) {
  // Keeps the hours within an int; what a POSIX text may say is decided where it is read.
  if (std::abs(utc_offset) > 1000 * std::int64_t{3600}) return nullptr;
  const std::int64_t seconds = std::abs(utc_offset);
  char text[64];
  int n = std::snprintf(text, sizeof text, "%02d", static_cast<int>(seconds / 3600));
  if (seconds % 3600 != 0) {
    n += std::snprintf(text + n, sizeof text - static_cast<std::size_t>(n), ":%02d",
                       static_cast<int>(seconds / 60 % 60));
    if (seconds % 60 != 0)
      n += std::snprintf(text + n, sizeof text - static_cast<std::size_t>(n), ":%02d",
                         static_cast<int>(seconds % 60));
  }
  // The text of pg_tzset_offset, since SHOW TimeZone displays it. POSIX counts offsets to the west,
  // so the sign in the name is the opposite of the one behind it.
  const std::string offset(text, static_cast<std::size_t>(n));
  return FindTimeZone(utc_offset < 0 ? "<-" + offset + ">+" + offset
                                     : "<+" + offset + ">-" + offset);
}

}  // namespace relcache
