/** Clocks that move only when they are told to. */
export function fakeClock(start: Date = new Date('2026-01-01T00:00:00.000Z')) {
  let nowMs = start.getTime();
  let passedMs = 0;
  return {
    clock: () => new Date(nowMs),
    /** Milliseconds since some moment: nobody can set this one. */
    monotonic: () => passedMs,
    pass(ms: number): void {
      nowMs += ms;
      passedMs += ms;
    },
    /** The clock of the day is put forward or back. */
    jump(ms: number): void {
      nowMs += ms;
    },
  };
}
