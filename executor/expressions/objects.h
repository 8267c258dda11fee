// ObjectLookup answers the compiler's questions about types, functions, operators and collations
// that are not built into PostgreSQL. It takes the place of PostgreSQL's system cache (syscache.c).
#pragma once

#include "relcache/base/result.h"
#include "relcache/cache/derived.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/rows.h"

namespace relcache {

/// Looks up objects that are not built in. The result is nullptr if there is no such object.
/// Lifetime: the rows must live until the compiler has finished.
/// Errors: those of the source.
/// Thread safety: one thread at a time.
class ObjectLookup {
 public:
  virtual ~ObjectLookup() = default;

  /// A type, with the constraints of a domain and the labels of an enum.
  virtual Result<const TypeRows*> FindType(Oid oid) = 0;
  virtual Result<const ProcRow*> FindProc(Oid oid) = 0;
  virtual Result<const OperatorRow*> FindOperator(Oid oid) = 0;
  virtual Result<const CollationRow*> FindCollation(Oid oid) = 0;
  /// The schemas that contain a type with this name, as far as they are known.
  virtual Result<std::span<const std::string_view>> SchemasOfType(std::string_view /*typname*/) {
    return std::span<const std::string_view>();
  }
  /// Facts about the server: its version, encoding and default collation.
  virtual const ServerInfo& info() const = 0;
};

/// How many domains may stand on top of each other; rows of a source may say that one is based on
/// itself.
inline constexpr int kDomainsOverDomains = 32;

/// The type that a domain is based on in the end.
struct BaseType {
  Oid oid = kInvalidOid;
  /// nullptr if the type is built in, or if there is no such type.
  const TypeRows* rows = nullptr;
};

/// The base type of a domain; of any other type, the type itself (getBaseType).
/// Errors: those of the look-up; SQLSTATE XX000 for a domain that is based on itself.
Result<BaseType> FindBaseType(Oid type, ObjectLookup& objects);

/// Looks objects up in a catalog source.
/// Lifetime: the rows lie in `cx`. The source, `cx` and the build must outlive this object.
class SourceObjects final : public ObjectLookup {
 public:
  /// `build`, if any, is the build of a value that a cache entry keeps: the entry is then dropped
  /// when an object changes that was asked for here.
  SourceObjects(CatalogSource& source, MemoryContext& cx, const DerivedBuild* build = nullptr)
      : source_(source), cx_(cx), build_(build) {}

  Result<const TypeRows*> FindType(Oid oid) override {
    Record(InvalidationKind::kType, oid);
    return source_.LoadType(oid, cx_);
  }
  Result<const ProcRow*> FindProc(Oid oid) override {
    Record(InvalidationKind::kFunction, oid);
    return source_.LoadProc(oid, cx_);
  }
  Result<const OperatorRow*> FindOperator(Oid oid) override {
    Record(InvalidationKind::kOperator, oid);
    return source_.LoadOperator(oid, cx_);
  }
  Result<const CollationRow*> FindCollation(Oid oid) override {
    Record(InvalidationKind::kCollation, oid);
    return source_.LoadCollation(oid, cx_);
  }
  Result<std::span<const std::string_view>> SchemasOfType(std::string_view typname) override {
    return source_.SchemasOfType(typname, cx_);
  }
  const ServerInfo& info() const override { return source_.info(); }

 private:
  // Before the look-up: a change that comes between the two then still counts.
  void Record(InvalidationKind kind, Oid oid) const {
    if (build_ != nullptr) build_->DependsOn(kind, oid);
  }

  CatalogSource& source_;
  MemoryContext& cx_;
  const DerivedBuild* build_;
};

}  // namespace relcache
