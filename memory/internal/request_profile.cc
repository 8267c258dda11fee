#include "relcache/memory/internal/request_profile.h"

#include <cstdio>

#include "relcache/base/internal/format.h"

namespace relcache {
namespace {

std::size_t ClassOf(std::size_t size) noexcept {
  if (size > internal::kMaxClassedChunk) return RequestProfile::kClasses - 1;
  return internal::ChunkClass(std::max<std::size_t>(size, 1));
}

double Share(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void RequestProfile::OnAllocate(MemoryContext&, std::size_t size) {
  Class& c = classes_[ClassOf(size)];
  ++c.requests;
  c.bytes += size;
}

void RequestProfile::OnFree(MemoryContext&, std::size_t size) noexcept {
  ++classes_[ClassOf(size)].freed;
}

std::size_t RequestProfile::LargestOf(std::size_t index) noexcept {
  return index == kClasses - 1 ? SIZE_MAX : internal::kChunkAlignment << index;
}

RequestProfile::Class RequestProfile::Total() const noexcept {
  Class total;
  for (const Class& c : classes_) {
    total.requests += c.requests;
    total.bytes += c.bytes;
    total.freed += c.freed;
  }
  return total;
}

double RequestProfile::ShareUpTo(std::size_t size) const noexcept {
  std::uint64_t requests = 0;
  for (std::size_t i = 0; i < kClasses && LargestOf(i) <= size; ++i)
    requests += classes_[i].requests;
  return Share(requests, Total().requests);
}

double RequestProfile::ShareFreedSingly() const noexcept {
  const Class total = Total();
  return Share(total.freed, total.requests);
}

std::string RequestProfile::ToText() const {
  const Class total = Total();
  std::string out = "     size     requests   share        bytes  freed singly\n";
  const auto line = [&](const std::string& size, const Class& c) {
    char text[128];
    std::snprintf(text, sizeof text, "%9s %12llu %6.1f%% %12llu %12.1f%%\n", size.c_str(),
                  static_cast<unsigned long long>(c.requests),
                  100 * Share(c.requests, total.requests), static_cast<unsigned long long>(c.bytes),
                  100 * Share(c.freed, c.requests));
    out += text;
  };
  for (std::size_t i = 0; i < kClasses; ++i) {
    if (classes_[i].requests == 0) continue;
    line(i == kClasses - 1 ? "more" : Format("<= {}", LargestOf(i)), classes_[i]);
  }
  line("all", total);
  return out;
}

}  // namespace relcache
