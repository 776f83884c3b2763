/** A clock that moves only when it is told to. */
export function fakeClock(start: Date = new Date('2026-01-01T00:00:00.000Z')) {
  let nowMs = start.getTime();
  return {
    clock: () => new Date(nowMs),
    pass(ms: number): void {
      nowMs += ms;
    },
  };
}
