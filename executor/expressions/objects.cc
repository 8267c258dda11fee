#include "relcache/executor/expressions/objects.h"

#include "relcache/types/builtin_types.h"

namespace relcache {

Result<BaseType> FindBaseType(Oid type, ObjectLookup& objects) {
  for (int i = 0; i <= kDomainsOverDomains; ++i) {
    if (FindTypeInfo(type) != nullptr) return BaseType{type, nullptr};
    RELCACHE_ASSIGN(const TypeRows* const rows, objects.FindType(type));
    if (rows == nullptr || rows->pg_type.typtype != 'd') return BaseType{type, rows};
    type = rows->pg_type.typbasetype;
  }
  return Fail(ErrorCode::kInvalidInput, "XX000", "domain is based on itself");
}

}  // namespace relcache
