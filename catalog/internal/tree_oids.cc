#include "relcache/catalog/internal/tree_oids.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace relcache {
namespace {

struct Field {
  std::string_view name;
  TreeOid::Kind kind;
};

using enum TreeOid::Kind;

// Sorted by name. scripts/snapshot.sql has the same list.
constexpr Field kFields[] = {
    // clang-format off
    {"aggargtypes", kType},
    {"aggcollid", kCollation},
    {"aggfnoid", kProc},
    {"aggtranstype", kType},
    {"aggtype", kType},
    {"array_collid", kCollation},
    {"array_typeid", kType},
    {"casecollid", kCollation},
    {"casetype", kType},
    {"coalescecollid", kCollation},
    {"coalescetype", kType},
    {"collOid", kCollation},
    {"collation", kCollation},
    {"constcollid", kCollation},
    {"consttype", kType},
    {"element_typeid", kType},
    {"elemfuncid", kProc},
    {"eqop", kOperator},
    {"funccollid", kCollation},
    {"funcid", kProc},
    {"funcresulttype", kType},
    {"hashfuncid", kProc},
    {"inputcollid", kCollation},
    {"inputcollids", kCollation},
    {"minmaxcollid", kCollation},
    {"minmaxtype", kType},
    {"negfuncid", kProc},
    {"opcollid", kCollation},
    {"opfuncid", kProc},
    {"opno", kOperator},
    {"opnos", kOperator},
    {"opresulttype", kType},
    {"paramcollid", kCollation},
    {"paramtype", kType},
    {"refarraytype", kType},
    {"refcollid", kCollation},
    {"refcontainertype", kType},
    {"refelemtype", kType},
    {"refrestype", kType},
    {"resultcollid", kCollation},
    {"resulttype", kType},
    {"row_typeid", kType},
    {"sortop", kOperator},
    {"type", kType},
    {"typeId", kType},
    {"varcollid", kCollation},
    {"vartype", kType},
    {"wincollid", kCollation},
    {"winfnoid", kProc},
    {"wintype", kType},
    // clang-format on
};
static_assert(std::ranges::is_sorted(kFields, {}, &Field::name));

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

void AppendTreeOids(std::string_view text, std::vector<TreeOid>& out) {
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at)) {
    const std::size_t begin = ++at;
    while (at < text.size() && IsNameCharacter(text[at])) ++at;
    const std::string_view name = text.substr(begin, at - begin);
    const auto field = std::ranges::lower_bound(kFields, name, {}, &Field::name);
    if (field == std::end(kFields) || field->name != name) continue;
    if (text.substr(at).starts_with(" (o ")) at += 3;
    // A number, or the numbers of a list, each after a blank.
    while (at < text.size() && text[at] == ' ') {
      Oid oid = kInvalidOid;
      const char* end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data() + at + 1, end, oid);
      if (error != std::errc()) break;
      at = static_cast<std::size_t>(stop - text.data());
      if (oid != kInvalidOid) out.push_back({field->kind, oid});
    }
  }
}

}  // namespace relcache
