#include "relcache/types/internal/inet.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/internal/hex.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

constexpr unsigned char kInet4 = 2;  // PGSQL_AF_INET
constexpr unsigned char kInet6 = 3;

struct Address {
  unsigned char family = kInet4;
  int bits = 0;
  unsigned char bytes[16] = {};
  std::size_t size() const { return family == kInet4 ? 4 : 16; }
  int max_bits() const { return static_cast<int>(size()) * 8; }
};

// "/24" at the end: digits up to 32, in an int that wraps around: "4294967304" is 8, and -1 is as
// if nothing were given.
bool TakeBits4(std::string_view text, int* bits) {
  std::uint32_t value = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return false;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  *bits = static_cast<std::int32_t>(value);
  return !text.empty() && *bits >= -1 && *bits <= 32;
}

// Up to four decimal bytes; how many were given is `count`. An inet may end in a point.
bool TakeOctets(std::string_view text, bool cidr, Address& out, std::size_t* count) {
  *count = 0;
  do {
    if (text.empty() || !IsDigit(text.front()) || *count == 4) return false;
    int octet = 0;
    while (!text.empty() && IsDigit(text.front())) {
      octet = octet * 10 + (text.front() - '0');
      if (octet > 255) return false;
      text.remove_prefix(1);
    }
    out.bytes[(*count)++] = static_cast<unsigned char>(octet);
    if (text.empty()) return true;
    if (text.front() != '.') return false;
    text.remove_prefix(1);
  } while (cidr || !text.empty());
  return true;
}

// "0x0a01": two digits a byte.
bool TakeHexadecimal(std::string_view digits, Address& out, std::size_t* count) {
  if (digits.empty() || digits.size() > 8) return false;
  *count = (digits.size() + 1) / 2;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int value = HexValue(digits[i]);
    if (value < 0) return false;
    out.bytes[i / 2] = static_cast<unsigned char>(out.bytes[i / 2] | value << (i % 2 == 0 ? 4 : 0));
  }
  return true;
}

// The prefix length that a cidr has from its class when none is written.
int ClassBits(const Address& a, std::size_t count) {
  const int first = a.bytes[0];
  int bits = first >= 240 ? 32 : first >= 224 ? 8 : first >= 192 ? 24 : first >= 128 ? 16 : 8;
  bits = std::max(bits, static_cast<int>(count) * 8);
  return bits == 8 && first == 224 ? 4 : bits;
}

bool ParseInet4(std::string_view text, bool cidr, Address& out) {
  out.family = kInet4;
  const std::size_t slash = text.find('/');
  std::size_t count = 0;
  const std::string_view address = text.substr(0, slash);
  const bool hexadecimal = cidr && (address.starts_with("0x") || address.starts_with("0X"));
  if (!(hexadecimal ? TakeHexadecimal(address.substr(2), out, &count)
                    : TakeOctets(address, cidr, out, &count)))
    return false;
  out.bits = -1;
  if (slash != std::string_view::npos && !TakeBits4(text.substr(slash + 1), &out.bits))
    return false;
  if (out.bits >= 0) {
    // The bytes of the prefix must all be there.
    return out.bits / 8 <= static_cast<int>(count) || cidr;
  }
  if (!cidr) {
    out.bits = 32;
    return count == 4;
  }
  out.bits = ClassBits(out, count);
  return true;
}

// The prefix length of an IPv6 address: "0", or up to 128 without a leading zero.
bool TakeBits6(std::string_view text, int* bits) {
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text.front() == '0')) return false;
  *bits = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return false;
    *bits = *bits * 10 + (c - '0');
  }
  return *bits <= 128;
}

// The last 32 bits of an IPv6 address in decimal, with the prefix length behind them. Any number
// may be missing but one at the end of the text; fewer than four stand for the first bytes.
bool Inet4Tail(std::string_view text, unsigned char* bytes, int* bits) {
  std::size_t count = 0;
  std::size_t digits = 0;
  unsigned value = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (IsDigit(c)) {
      if (digits++ != 0 && value == 0) return false;  // a leading zero
      value = value * 10 + static_cast<unsigned>(c - '0');
      if (value > 255) return false;
      continue;
    }
    if ((c != '.' && c != '/') || count == 4) return false;
    bytes[count++] = static_cast<unsigned char>(value);
    if (c == '/') return TakeBits6(text.substr(at + 1), bits);
    value = 0;
    digits = 0;
  }
  if (digits == 0 || count == 4) return false;
  bytes[count] = static_cast<unsigned char>(value);
  return true;
}

// As PostgreSQL reads it, which takes a colon before the prefix length for nothing: "::1:/128".
bool ParseInet6(std::string_view text, Address& out) {
  constexpr std::size_t kSize = 16;
  constexpr std::size_t kNone = kSize + 1;
  out.family = kInet6;
  out.bits = 128;
  std::size_t bytes = 0;
  std::size_t gap = kNone;  // where "::" stands
  std::size_t group = 0;    // where in the text the last group begins
  std::size_t digits = 0;
  unsigned value = 0;
  const auto end_group = [&] {
    if (bytes + 2 > kSize) return false;
    out.bytes[bytes++] = static_cast<unsigned char>(value >> 8);
    out.bytes[bytes++] = static_cast<unsigned char>(value);
    digits = value = 0;
    return true;
  };
  std::size_t at = 0;
  if (text.starts_with(':') && !text.substr(++at).starts_with(':')) return false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (const int digit = HexValue(c); digit >= 0) {
      value = value << 4 | static_cast<unsigned>(digit);
      if (++digits > 4) return false;
    } else if (c == ':' && digits == 0) {
      if (gap != kNone) return false;
      gap = bytes;
      group = at + 1;
    } else if (c == ':') {
      group = at + 1;
      if (group == text.size() || !end_group()) return false;
    } else if (c == '.') {
      if (bytes + 4 > kSize || !Inet4Tail(text.substr(group), out.bytes + bytes, &out.bits))
        return false;
      bytes += 4;
      digits = 0;
      break;
    } else {
      if (c != '/' || !TakeBits6(text.substr(at + 1), &out.bits)) return false;
      break;
    }
  }
  if (digits > 0 && !end_group()) return false;
  if (gap == kNone) return bytes == kSize;
  if (bytes == kSize) return false;
  std::copy_backward(out.bytes + gap, out.bytes + bytes, out.bytes + kSize);
  std::fill(out.bytes + gap, out.bytes + gap + (kSize - bytes), 0);
  return true;
}

bool HasBitsBeyondMask(const Address& a) {
  for (int bit = a.bits; bit < a.max_bits(); ++bit)
    if ((a.bytes[bit / 8] >> (7 - bit % 8) & 1) != 0) return true;
  return false;
}

Datum Pack(const Address& a, MemoryContext& cx) {
  std::string payload;
  payload += static_cast<char>(a.family);
  payload += static_cast<char>(a.bits);
  payload.append(reinterpret_cast<const char*>(a.bytes), a.size());
  return MakeVarlena(payload, cx);
}

bool Unpack(Datum value, Address& out) {
  const std::string_view payload = VarData(value);
  if (payload.size() < 2) return false;
  out.family = static_cast<unsigned char>(payload[0]);
  out.bits = static_cast<unsigned char>(payload[1]);
  if ((out.family != kInet4 && out.family != kInet6) || payload.size() != 2 + out.size() ||
      out.bits > out.max_bits())
    return false;
  std::memcpy(out.bytes, payload.data() + 2, out.size());
  return true;
}

Result<Datum> In(std::string_view text, bool cidr, MemoryContext& cx) {
  const char* type = cidr ? "cidr" : "inet";
  Address address;
  const bool good = text.find(':') != std::string_view::npos ? ParseInet6(text, address)
                                                             : ParseInet4(text, cidr, address);
  if (!good) return Fail(InvalidSyntax(type, text));
  if (cidr && HasBitsBeyondMask(address)) {
    return Fail(Error(ErrorCode::kInvalidInput, "22P02",
                      "invalid cidr value: \"" + std::string(text) + "\"")
                    .WithDetail("Value has bits set to right of mask."));
  }
  return Pack(address, cx);
}

Result<std::string_view> Out(Datum value, bool cidr, MemoryContext& cx) {
  Address a;
  if (!Unpack(value, a))
    return Fail(ErrorCode::kInvalidInput, "22P02", "malformed network address value");
  char text[INET6_ADDRSTRLEN];
  inet_ntop(a.family == kInet4 ? AF_INET : AF_INET6, a.bytes, text, sizeof text);
  std::string out = text;
  if (cidr || a.bits != a.max_bits()) out += Format("/{}", a.bits);
  return cx.CopyString(out);
}

// Of the first `bits` bits.
int CompareBits(const Address& a, const Address& b, int bits) {
  const auto whole = static_cast<std::size_t>(bits / 8);
  const int order = std::memcmp(a.bytes, b.bytes, whole);
  if (order != 0 || bits % 8 == 0) return order;
  const int mask = 0xff << (8 - bits % 8) & 0xff;
  return (a.bytes[whole] & mask) - (b.bytes[whole] & mask);
}

}  // namespace

Result<Datum> InetIn(std::string_view text, MemoryContext& cx) {
  return In(text, false, cx);
}

Result<Datum> CidrIn(std::string_view text, MemoryContext& cx) {
  return In(text, true, cx);
}

Result<std::string_view> InetOut(Datum value, MemoryContext& cx) {
  return Out(value, false, cx);
}

Result<std::string_view> CidrOut(Datum value, MemoryContext& cx) {
  return Out(value, true, cx);
}

int InetCompare(Datum a, Datum b) {
  Address x;
  Address y;
  if (!Unpack(a, x) || !Unpack(b, y)) return VarData(a).compare(VarData(b));
  if (x.family != y.family) return x.family < y.family ? -1 : 1;
  if (const int order = CompareBits(x, y, std::min(x.bits, y.bits)); order != 0) return order;
  if (x.bits != y.bits) return x.bits < y.bits ? -1 : 1;
  return CompareBits(x, y, x.max_bits());
}

}  // namespace relcache
