// What the compiler asks about the types, functions and collations that an expression names.
#pragma once

#include "relcache/base/result.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/rows.h"

namespace relcache {

/// Answers for what is not built in. nullptr: there is no such object.
/// Thread safety: one thread at a time.
class ObjectLookup {
 public:
  virtual ~ObjectLookup() = default;

  /// A domain with its constraints, an enum with its labels.
  virtual Result<const TypeRows*> FindType(Oid oid) = 0;
  virtual Result<const ProcRow*> FindProc(Oid oid) = 0;
  virtual Result<const OperatorRow*> FindOperator(Oid oid) = 0;
  virtual Result<const CollationRow*> FindCollation(Oid oid) = 0;
  /// The schemas with a type of that name, as far as they are known.
  virtual Result<std::span<const std::string_view>> SchemasOfType(std::string_view /*typname*/) {
    return std::span<const std::string_view>();
  }
  /// What the default collation is, and which version the trees have.
  virtual const ServerInfo& info() const = 0;
};

/// Answers from a catalog source. Rows live in `cx`.
class SourceObjects final : public ObjectLookup {
 public:
  SourceObjects(CatalogSource& source, MemoryContext& cx) : source_(source), cx_(cx) {}

  Result<const TypeRows*> FindType(Oid oid) override { return source_.LoadType(oid, cx_); }
  Result<const ProcRow*> FindProc(Oid oid) override { return source_.LoadProc(oid, cx_); }
  Result<const OperatorRow*> FindOperator(Oid oid) override {
    return source_.LoadOperator(oid, cx_);
  }
  Result<const CollationRow*> FindCollation(Oid oid) override {
    return source_.LoadCollation(oid, cx_);
  }
  Result<std::span<const std::string_view>> SchemasOfType(std::string_view typname) override {
    return source_.SchemasOfType(typname, cx_);
  }
  const ServerInfo& info() const override { return source_.info(); }

 private:
  CatalogSource& source_;
  MemoryContext& cx_;
};

}  // namespace relcache
