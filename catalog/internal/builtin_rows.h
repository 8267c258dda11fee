// The rows of built-in objects, as builtin.h gives them and scripts/make_builtin writes them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/base/oid.h"

namespace relcache {

/// A row of pg_proc, a function.
struct BuiltinProc {
  Oid oid;
  std::string_view proname;
  /// The types of the input arguments.
  std::span<const Oid> proargtypes;
  Oid prorettype;
  Oid provariadic;
  /// The language: 12 internal, 13 C, 14 SQL.
  Oid prolang;
  char prokind;
  char provolatile;
  char proparallel;
  std::uint8_t pronargdefaults;
  bool proisstrict;
  bool proretset;
  bool proleakproof;
};

/// A row of pg_operator, an operator.
struct BuiltinOperator {
  Oid oid;
  std::string_view oprname;
  char oprkind;
  bool oprcanmerge;
  bool oprcanhash;
  Oid oprleft;
  Oid oprright;
  Oid oprresult;
  Oid oprcom;
  Oid oprnegate;
  Oid oprcode;
};

/// A row of pg_cast, a cast. castfunc is 0 if castmethod is 'b' (the types have the same
/// representation) or 'i' (by way of text).
struct BuiltinCast {
  Oid castsource;
  Oid casttarget;
  Oid castfunc;
  /// 'e' only explicit, 'a' also in assignments, 'i' also implicit.
  char castcontext;
  char castmethod;
};

}  // namespace relcache
