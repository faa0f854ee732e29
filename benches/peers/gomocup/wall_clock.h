// clock() counts processor time on POSIX, time on the wall on Windows, for which the program was written.
#pragma once
#include <ctime>
static inline std::clock_t wall_clock() {
  std::timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
#define clock wall_clock
