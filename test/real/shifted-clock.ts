/**
 * What a dynamically linked program is given of the environment to see a clock that is off: `-90s`, `+1h`. Its timers
 * run on as they do. Programs in Go ask the kernel, past any library that is put before them.
 */
export function shiftedClock(shift: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
    FAKETIME: shift,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}
