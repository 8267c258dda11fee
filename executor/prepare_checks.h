// How the checks of a relation are made: for callers that bring the programs of the CHECKs.
#pragma once

#include <functional>

#include "relcache/base/result.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/executor/constraints.h"
#include "relcache/memory/memory_context.h"

namespace relcache::internal {

/// The program of a CHECK constraint, or why there is none.
using CheckProgram = std::function<Result<const Program*>(const CheckConstraint& check)>;

/// The checks of a relation in cx, each CHECK with the program that `program` gives. Errors: as
/// ChecksOf, and those of `program`.
Result<const RelationConstraints*> MakeRelationConstraints(const RelationDescriptor& relation,
                                                           CatalogSource& source,
                                                           UnsupportedConstraints unsupported,
                                                           const CheckProgram& program,
                                                           MemoryContext& cx);

}  // namespace relcache::internal
