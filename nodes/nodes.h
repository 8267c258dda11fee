// Includes the declarations of all node types.
#pragma once

#include "relcache/nodes/jsonnodes.h"
#include "relcache/nodes/parsenodes.h"
#include "relcache/nodes/primnodes.h"
