#include "relcache/executor/functions/function.h"
#include "relcache/executor/functions/function_tables.h"

#include <gtest/gtest.h>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

/// The form that a declared type has; polymorphic ones by what they stand for.
ColumnForm DeclaredForm(Oid type) {
  constexpr Oid kAnyArrayOid = 2277, kAnyEnumOid = 3500;
  if (type == kAnyArrayOid) return ColumnForm::kDatum;
  if (type == kAnyEnumOid) return ColumnForm::kOid;
  const TypeInfo* info = FindTypeInfo(type);
  return info == nullptr ? ColumnForm::kDatum : ColumnFormOf(type, info->typlen, info->typbyval);
}

TEST(FunctionTest, EveryEntrySaysWhatPgProcSays) {
  ASSERT_GT(AllFunctions().size(), 300u);
  for (const Function* f : AllFunctions()) {
    SCOPED_TRACE(std::to_string(f->oid) + " " + f->name);
    const BuiltinProc* proc = FindBuiltinProc(f->oid);
    ASSERT_NE(proc, nullptr);
    EXPECT_EQ(proc->proname, f->name);
    EXPECT_EQ(proc->provolatile, f->provolatile);
    EXPECT_TRUE(proc->proisstrict);
    EXPECT_FALSE(proc->proretset);
    EXPECT_EQ(DeclaredForm(proc->prorettype), f->result);
    ASSERT_EQ(proc->proargtypes.size(), f->nargs);
    for (std::size_t i = 0; i < f->nargs; ++i)
      EXPECT_EQ(DeclaredForm(proc->proargtypes[i]), f->args[i]) << "argument " << i;
  }
}

TEST(FunctionTest, AFunctionIsFoundByItsOidOnly) {
  EXPECT_STREQ(FindFunction(150)->name, "int4ge");
  EXPECT_EQ(FindFunction(kInvalidOid), nullptr);
  EXPECT_EQ(FindFunction(1254), nullptr);  // textregexeq
  EXPECT_EQ(FindFunction(0xffffffff), nullptr);
}

TEST(FunctionTest, WhatComparesTextSaysWhatItNeedsOfACollation) {
  for (const Function* f : AllFunctions()) {
    const BuiltinProc* proc = FindBuiltinProc(f->oid);
    bool compares = proc->prorettype == kBoolOid && f->nargs == 2;
    for (const Oid type : proc->proargtypes) {
      const TypeInfo* info = FindTypeInfo(type);
      compares = compares && info != nullptr && info->typcollation != kInvalidOid;
    }
    if (compares) {
      EXPECT_NE(f->collation, CollationUse::kNone) << f->name;
    }
  }
}

/// Nothing guards such a function's result in another encoding than UTF-8: it has to be ASCII.
TEST(FunctionTest, WhatMakesTextOfOtherValuesMakesAsciiOrIsListed) {
  const auto is_text = [](Oid type) {
    return type == kTextOid || type == kVarcharOid || type == kBpcharOid || type == kNameOid ||
           type == kCharOid;
  };
  for (const Function* f : AllFunctions()) {
    const BuiltinProc* proc = FindBuiltinProc(f->oid);
    bool from_text = false;
    for (const Oid type : proc->proargtypes) from_text = from_text || is_text(type);
    if (!is_text(proc->prorettype) || from_text) continue;
    const std::string name = f->name;
    EXPECT_TRUE(name == "jsonb_typeof" || name == "text" || name == "to_hex")
        << name << ": see compile_text.cc";
  }
}

}  // namespace
}  // namespace relcache
