import { afterEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#server/errors.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { KnownAnswers } from './known-answers.ts';

afterEach(() => vi.useRealTimers());

const lookUpOf = (said: Record<string, string>, until: Promise<void>) => async () => {
  await until;
  return new Map(Object.entries(said).map(([name, says]) => [name, { says }]));
};
const away = () => Object.assign(new Error('from the driver'), { code: 'CONNECTION_CLOSED' });

/** A record that can be changed, be away, or keep its answers back until it is told. */
function makeRecord(options: { entriesMax?: number; waitMs?: number } = {}) {
  const { clock, pass } = fakeClock();
  const answers = new KnownAnswers<{ says: string }>({
    clock,
    entriesMax: options.entriesMax ?? 100,
    ownerOf: ({ says }) => says.split(' ', 1)[0] ?? '',
    waitMs: options.waitMs ?? 3_000,
  });
  const rows = new Map([['a', 'first']]);
  const record = { asked: 0, isAway: false, until: Promise.resolve() };
  const lookUp = async (names: string[]) => {
    record.asked += 1;
    if (record.isAway) throw away();
    // Read at once, answered later.
    const found = new Map(
      names.flatMap((name) => (rows.has(name) ? [[name, { says: rows.get(name) ?? '' }]] : [])),
    );
    await record.until;
    return found;
  };
  const ask = async (name = 'a') => (await answers.askAll([name], lookUp))(name);
  return { answers, record, rows, ask, lookUp, pass };
}

test('an answer is kept for a minute', async () => {
  const { record, rows, ask, pass } = makeRecord();
  expect(await ask()).toEqual({ value: { says: 'first' }, isConfirmed: true });
  rows.set('a', 'second');
  pass(59_999);
  expect((await ask())?.value.says).toBe('first');
  expect(record.asked).toBe(1);
  pass(1);
  expect((await ask())?.value.says).toBe('second');
  expect(record.asked).toBe(2);
  pass(-1);
  await ask();
  expect(record.asked, 'a clock put back').toBe(3);
});

test('while nothing is heard of changes, each answer is asked for', async () => {
  const { clock } = fakeClock();
  let isHeard = true;
  let asked = 0;
  const answers = new KnownAnswers<string>({
    clock,
    entriesMax: 10,
    ownerOf: (says) => says,
    waitMs: 3_000,
    hears: () => isHeard,
  });
  const ask = () =>
    answers.ask('a', async () => {
      asked += 1;
      return `answer ${asked}`;
    });
  await ask();
  await ask();
  expect(asked).toBe(1);
  isHeard = false;
  expect((await ask())?.value).toBe('answer 2');
  expect((await ask())?.value).toBe('answer 3');
  isHeard = true;
  expect((await ask())?.value).toBe('answer 3');
});

test('what is doubted is asked for anew, and stands in while the record is away', async () => {
  const { answers, record, rows, ask } = makeRecord();
  await ask();
  rows.set('a', 'second');
  let answer = () => {};
  record.until = new Promise((resolve) => {
    answer = resolve;
  });
  // Under way when it was doubted: it may have read what was before.
  const first = answers.askAll(['a', 'b'], lookUpOf({ a: 'before' }, record.until));
  answers.doubt();
  record.isAway = true;
  expect(await ask()).toEqual({ value: { says: 'first' }, isConfirmed: false });
  answer();
  await first;
  record.isAway = false;
  answers.doubt();
  expect(await ask()).toEqual({ value: { says: 'second' }, isConfirmed: true });
});

test('what does not exist is not kept, nor what is wrong with a name', async () => {
  const { answers, record, rows, ask } = makeRecord();
  expect(await ask('b')).toBeNull();
  rows.set('b', 'made meanwhile');
  expect((await ask('b'))?.value.says).toBe('made meanwhile');
  expect(record.asked).toBe(2);
  const wrong = new AppError('CONFLICT', 'two of them');
  for (let i = 0; i < 2; i++) {
    const find = await answers.askAll(['c'], async () => new Map([['c', wrong]]));
    expect(() => find('c')).toThrow(wrong);
  }
});

test('several names are looked up at once, those that are not known alone', async () => {
  const { answers, rows, ask } = makeRecord();
  await ask();
  for (const name of ['b', 'c']) rows.set(name, name);
  const asked: string[][] = [];
  const find = await answers.askAll(['a', 'b', 'c', 'b', 'd'], async (names) => {
    asked.push(names);
    return new Map(names.flatMap((name) => (rows.has(name) ? [[name, { says: name }]] : [])));
  });
  expect(asked).toEqual([['b', 'c', 'd']]);
  expect(['a', 'b', 'c', 'd'].map((name) => find(name)?.value.says)).toEqual(['first', 'b', 'c', undefined]);
});

test('those who ask for the same at the same time share one look-up', async () => {
  const { record, ask } = makeRecord();
  await Promise.all([ask(), ask(), ask()]);
  expect(record.asked).toBe(1);
});

test('what was dropped is asked for anew', async () => {
  const { answers, record, rows, ask } = makeRecord();
  rows.set('b', 'other');
  await ask('a');
  await ask('b');
  rows.set('a', 'second');
  answers.drop(({ says }) => says === 'first');
  expect((await ask('a'))?.value.says).toBe('second');
  await ask('b');
  expect(record.asked).toBe(3);
});

describe('a look-up that was under way when something changed', () => {
  function start() {
    const world = makeRecord();
    let release = () => {};
    world.record.until = new Promise((resolve) => {
      release = resolve;
    });
    const before = world.ask();
    world.rows.set('a', 'second');
    world.answers.drop(() => false);
    return { ...world, before, release };
  }

  test('is answered and not kept', async () => {
    const { before, release, record, ask } = start();
    release();
    expect((await before)?.value.says).toBe('first');
    expect((await ask())?.value.says).toBe('second');
    expect(record.asked).toBe(2);
  });

  test('is not shared with those who ask later', async () => {
    const { before, release, ask } = start();
    const after = ask();
    release();
    expect((await after)?.value.says).toBe('second');
    expect((await before)?.value.says).toBe('first');
  });
});

test('those used longest ago leave when there are too many', async () => {
  const { record, rows, ask } = makeRecord({ entriesMax: 16 });
  const names = Array.from({ length: 16 }, (_, i) => `name ${i}`);
  for (const name of names) rows.set(name, name);
  for (const name of ['a', ...names.slice(0, 15), 'a', ...names.slice(15)]) await ask(name);
  expect(record.asked).toBe(17);
  await ask('a');
  expect(record.asked).toBe(17);
  await ask('name 0');
  expect(record.asked).toBe(18);
});

test('one account with many of them pushes out its own, and nobody else’s', async () => {
  const { record, rows, ask } = makeRecord({ entriesMax: 100 });
  const of = (account: string, count: number) => Array.from({ length: count }, (_, i) => `${account} ${i}`);
  const small = of('small', 10);
  const large = of('large', 1_000);
  for (const name of [...small, ...large]) rows.set(name, name);
  for (const name of [...small, ...large]) await ask(name);
  const { asked } = record;
  for (const name of small) await ask(name);
  expect(record.asked).toBe(asked);
  await ask('large 0');
  expect(record.asked).toBe(asked + 1);
});

test('a record is waited for as long as it is told', async () => {
  vi.useFakeTimers();
  const { record, ask } = makeRecord({ waitMs: 60_000 });
  let answer = () => {};
  record.until = new Promise((resolve) => {
    answer = resolve;
  });
  const asked = ask();
  await vi.advanceTimersByTimeAsync(59_000);
  answer();
  expect((await asked)?.value.says).toBe('first');
});

test('while the record is away, what it said last stands for a day, and is marked', async () => {
  const { record, ask, pass } = makeRecord();
  await ask();
  record.isAway = true;
  pass(60_000);
  expect(await ask()).toEqual({ value: { says: 'first' }, isConfirmed: false });
  await expect(ask('b')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  pass(24 * 60 * 60_000 - 60_000);
  await expect(ask()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('of several names, those that were known go on while the record is away', async () => {
  const { answers, record, lookUp, ask, pass } = makeRecord();
  await ask();
  record.isAway = true;
  pass(60_000);
  const find = await answers.askAll(['a', 'b'], lookUp);
  expect(find('a')?.isConfirmed).toBe(false);
  expect(() => find('b')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
});

test('a record that is away is asked beside those who are answered, once a second, and believed again at its first answer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { record, rows, ask, pass } = makeRecord();
  await ask();
  record.isAway = true;
  pass(60_000);
  for (let i = 0; i < 10; i++) await ask();
  expect(record.asked).toBe(2);
  record.isAway = false;
  rows.set('a', 'second');
  vi.advanceTimersByTime(1_000);
  expect((await ask())?.isConfirmed).toBe(false);
  expect(record.asked).toBe(3);
  await expect.poll(() => ask()).toEqual({ value: { says: 'second' }, isConfirmed: true });
});

test('a record that does not answer is not waited for long', async () => {
  vi.useFakeTimers();
  const { record, ask, pass } = makeRecord();
  await ask();
  record.until = new Promise(() => {});
  pass(60_000);
  const known = ask();
  const unknown = ask('b').catch((error: AppError) => error.code);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(await known).toMatchObject({ isConfirmed: false });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await unknown).toBe('UNAVAILABLE');
});

test('a record that is slow is not away: others ask it and are answered by it', async () => {
  vi.useFakeTimers();
  const { record, rows, ask, pass } = makeRecord();
  rows.set('b', 'first');
  await ask('a');
  await ask('b');
  pass(60_000);
  record.until = new Promise(() => {});
  const unknown = ask('nobody').catch((error: AppError) => error.code);
  const slow = ask('a');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await unknown).toBe('UNAVAILABLE');
  expect(await slow).toMatchObject({ isConfirmed: false });
  const again = ask('a');
  await vi.advanceTimersByTimeAsync(2);
  expect(await again, 'is not waited for twice').toMatchObject({ isConfirmed: false });
  record.until = Promise.resolve();
  rows.set('b', 'second');
  expect(await ask('b')).toEqual({ value: { says: 'second' }, isConfirmed: true });
});

test('large answers leave room for few, and are not written out for it', async () => {
  const { clock } = fakeClock();
  const answers = new KnownAnswers<object>({ clock, entriesMax: 100, ownerOf: () => 'one', waitMs: 3_000 });
  let asked = 0;
  const ask = (name: string) =>
    answers.ask(name, async () => {
      asked += 1;
      const toJSON = () => expect.fail('written out');
      return { toJSON, list: [{ text: 'x'.repeat(10 * 2 ** 20) }] };
    });
  for (const name of ['a', 'b', 'c', 'd']) await ask(name);
  await ask('d');
  expect(asked).toBe(4);
  await ask('a');
  expect(asked).toBe(5);
});

test('what was dropped does not come back while the record is away', async () => {
  const { answers, record, ask } = makeRecord();
  await ask();
  answers.drop(() => true);
  record.isAway = true;
  await expect(ask()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a fault of the look-up itself is told as it is', async () => {
  const { answers } = makeRecord();
  const fault = new Error('a statement is wrong');
  await expect(answers.ask('a', () => Promise.reject(fault))).rejects.toBe(fault);
});

test('nor does what it said last stand in for a fault', async () => {
  const { answers, ask, pass } = makeRecord();
  await ask();
  pass(60_000);
  for (const fault of [new Error('a statement is wrong'), new AppError('INTERNAL', 'so is this one')])
    await expect(answers.ask('a', () => Promise.reject(fault))).rejects.toBe(fault);
});
