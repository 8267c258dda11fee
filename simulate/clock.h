// The clocks and counters of the process that simulations read.
#pragma once

#include <cstdint>

namespace relcache {

/// Milliseconds of elapsed time since an arbitrary moment.
double NowMs();
/// Milliseconds of processor time of this process, in user and kernel mode.
double CpuMs();
/// The number of page faults of this process that needed no I/O.
std::uint64_t MinorFaults();

/// A counter that advances evenly and is cheap to read, if the processor has one.
std::uint64_t Ticks();
/// The ticks that one reading takes if nothing else runs on the processor.
double TicksOfReading();

}  // namespace relcache
