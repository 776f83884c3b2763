import { expect, it } from 'vitest';
import { runInTime } from './run-in-time.ts';
import { SerialQueue } from './serial-queue.ts';

const key = 1;

function holding(turns: SerialQueue<number>) {
  let release = () => {};
  const held = turns.run(key, () => new Promise<void>((resolve) => (release = resolve)));
  return {
    end: () => {
      release();
      return held;
    },
  };
}

it('does not begin what had no turn in time, or whose caller has gone', async () => {
  const turns = new SerialQueue<number>();
  const before = holding(turns);
  const begun: string[] = [];
  const task = (name: string) => async () => void begun.push(name);
  const late = runInTime(turns, key, { waitMs: 1, signal: undefined }, task('late'));
  const caller = new AbortController();
  const gone = runInTime(turns, key, { waitMs: 3_600_000, signal: caller.signal }, task('gone'));
  const patient = runInTime(turns, key, { waitMs: 3_600_000, signal: undefined }, task('patient'));
  await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  caller.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await before.end();
  await patient;
  expect(begun).toEqual(['patient']);
});

it('lets what has begun take any time', async () => {
  const turns = new SerialQueue<number>();
  const waited = runInTime(turns, key, { waitMs: 1, signal: undefined }, async () => {
    // Its own wait for a turn would have ended before.
    await expect(runInTime(turns, key, { waitMs: 2, signal: undefined }, async () => 2)).rejects.toThrow();
    return 1;
  });
  expect(await waited).toBe(1);
});
