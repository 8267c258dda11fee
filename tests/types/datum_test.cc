#include "relcache/types/datum.h"

#include <gtest/gtest.h>

#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

TEST(CopyDatum, CopiesOwnTheirBytes) {
  ContextPtr from = Bump::CreateRoot("from");
  ContextPtr to = Bump::CreateRoot("to");
  const Datum text = CopyDatum(MakeVarlena("abc", *from), false, -1, *to);
  const Datum name =
      CopyDatum(*TypeInput(kNameOid, -1, "n", AssumeUtcAndMdy(0), *from), false, 64, *to);
  const Datum number = CopyDatum(Int32GetDatum(5), true, 4, *to);
  from.reset();
  EXPECT_EQ(VarData(text), "abc");
  EXPECT_EQ(*TypeOutput(kNameOid, name, AssumeUtcAndMdy(0), *to), "n");
  EXPECT_EQ(DatumGetInt32(number), 5);
  EXPECT_EQ(DatumSize(text, -1), 7u);
}

}  // namespace
}  // namespace relcache
