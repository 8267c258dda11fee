#include "relcache/executor/functions/function.h"

#include <utility>

namespace relcache {

void FunctionContext::Fail(Fault fault) {
  // Making the error may throw, so it comes first: an outcome that is set but not handled would be
  // taken for that of the next call.
  if (error != nullptr) *error = FaultError(fault);
  outcome = Outcome::kFailed;
}

void FunctionContext::Fail(Error&& why) {
  outcome = Outcome::kFailed;
  if (error != nullptr) *error = std::move(why);
}

}  // namespace relcache
