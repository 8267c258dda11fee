// Makes the constraints of a relation for callers that supply the programs of the CHECK constraints
// themselves, such as the simulations. Other code uses constraints.h.
#pragma once

#include <functional>

#include "relcache/base/result.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/executor/constraints.h"
#include "relcache/memory/memory_context.h"

namespace relcache::internal {

/// Supplies the program of a CHECK constraint, or the reason why there is none.
using CheckProgram = std::function<Result<const Program*>(const CheckConstraint& check)>;

/// Makes the constraints of a relation in cx, with the programs that `program` supplies for the
/// CHECK constraints.
/// Errors: as ChecksOf, and those of `program`.
Result<const RelationConstraints*> MakeRelationConstraints(const RelationDescriptor& relation,
                                                           UnsupportedConstraints unsupported,
                                                           const CheckProgram& program,
                                                           MemoryContext& cx);

}  // namespace relcache::internal
