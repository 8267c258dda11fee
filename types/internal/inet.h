// inet and cidr (utils/adt/network.c, inet_net_pton.c, inet_net_ntop.c): an address with the length
// of its network prefix. A value is a varlena: family, prefix length, 4 or 16 bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

Result<Datum> InetIn(std::string_view text, MemoryContext& cx);
/// Refuses bits to the right of the netmask. "10.1" means 10.1.0.0/16.
Result<Datum> CidrIn(std::string_view text, MemoryContext& cx);
/// The length of the prefix is omitted if it covers the whole address.
/// Errors: SQLSTATE 22P02 for bytes that are not a value of the type.
Result<std::string_view> InetOut(Datum value, MemoryContext& cx);
Result<std::string_view> CidrOut(Datum value, MemoryContext& cx);

/// Compares the families, the common prefix, the lengths of the prefixes and then the whole
/// addresses (network_cmp).
int InetCompare(Datum a, Datum b);

}  // namespace relcache
