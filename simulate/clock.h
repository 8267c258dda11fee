// The clocks and counters of this process that simulations read.
#pragma once

#include <cstdint>

namespace relcache {

/// Milliseconds of the wall clock, from an arbitrary moment on.
double NowMs();
/// Milliseconds that this process has spent on the processor, in user and kernel mode.
double CpuMs();
/// Page faults of this process that needed no I/O.
std::uint64_t MinorFaults();

/// A counter that advances evenly and costs little to read, where the processor has one.
std::uint64_t Ticks();
/// Ticks that one reading takes while nothing else has the processor.
double TicksOfReading();

}  // namespace relcache
