import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant } from '../testing/callers.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { watchedHost } from '../testing/watched-host.ts';

/** Searches that wait for an index take no place at the engine from others. */
let held: Promise<void> | undefined;
let kit: Kit;
/** Time stands while they begin: however slow the machine is, they are a burst. */
const { monotonic, pass } = fakeClock();
const { host, calls } = watchedHost((name) => (name === 'open' ? held : undefined));
beforeAll(async () => {
  // With one thread there is room for four.
  const settings = { searchDelayMs: 40, searchWorkers: 1 };
  kit = await startKit({ database: 'bundled', host, monotonic, settings });
});
afterAll(() => kit.close());

const body = { query: 'river' };
async function tenant() {
  const { owner, key } = await createTenant(kit);
  const send = async (path: string, as: { key: string } | { cookie: string }, input: object, headers = {}) =>
    (await call(kit, { method: 'POST', path, body: input, as, headers })).status;
  return {
    byKey: () => send('/api/collections/things/search', { key: key.key }, body),
    byEvents: () =>
      send(
        '/api/collections/things/chat',
        { key: key.key },
        { message: 'What is a river?' },
        { accept: 'text/event-stream' },
      ),
    bySession: () => send('/trpc/search.keyword', owner.as, { ...body, collection: 'things' }),
  };
}

test.each([
  ['searches', ['byKey', 'bySession']],
  ['questions that are answered by events', ['byEvents']],
] as const)(
  '%s of many accounts refuse nobody whose index is open, and have their answers',
  async (_, ways) => {
    const other = await tenant();
    expect(await other.byKey()).toBe(200);
    const many = await Promise.all(Array.from({ length: 6 }, tenant));
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    calls.length = 0;
    const waiting = many.map((each, i) => each[ways[i % ways.length] ?? 'byKey']());
    await expect.poll(() => calls.filter((name) => name === 'open').length).toBe(many.length);
    const statuses = new Set<number>();
    try {
      // Longer than a burst may last.
      for (let i = 0; i < 12; i += 1) {
        pass(20);
        statuses.add(await other.byKey());
      }
    } finally {
      release();
    }
    expect([...statuses]).toEqual([200]);
    expect(await Promise.all(waiting)).toEqual(many.map(() => 200));
  },
);
