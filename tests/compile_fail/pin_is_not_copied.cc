// A pin is one hold; a second one is a second open.
// ERROR: deleted
#include <utility>

#include "relcache/cache/relation_pin.h"

void Pass(relcache::RelationPin& pin) {
#ifdef RELCACHE_BAD
  relcache::RelationPin other = pin;
#else
  relcache::RelationPin other = std::move(pin);
#endif
}
