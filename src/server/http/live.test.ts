import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { members } from '#server/db/schema/workspaces.ts';
import { limits } from '#shared/limits.ts';
import { livePositionHeader, requestsNoun } from '#shared/live.ts';
import {
  call,
  createCollection,
  createProject,
  createTenant,
  must,
  origin,
  type SignedUp,
  signIn,
  signUp,
} from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** What the stream of changes promises over HTTP. */

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

interface Event {
  id?: string;
  event: string;
  data: { noun?: string; id?: number | null; workspaceId?: number };
}

/** A stream and what it has told, as a browser reads it. */
async function listen(as: SignedUp['as'], ...after: (string | undefined)[]) {
  const gone = new AbortController();
  const path = `/api/live?${after.map((position) => `after=${position}`).join('&')}`;
  const response = await kit.app.request(`${origin}${path}`, {
    headers: { host: 'localhost', ...as },
    signal: gone.signal,
  });
  const events: Event[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let hasEnded = false;
  const reading = (async () => {
    let text = '';
    for (;;) {
      const read = await reader?.read();
      if (!read || read.done) break;
      text += read.value;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const lines = new Map(part.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
        const id = lines.get('id');
        const event = lines.get('event');
        const data = JSON.parse(lines.get('data') ?? '{}');
        // Of these the tests of their list say when they are told.
        if (event && data.noun !== requestsNoun) events.push({ ...(id && { id }), event, data });
      }
    }
    hasEnded = true;
  })();
  reading.catch(() => undefined);
  return {
    status: response.status,
    events,
    nouns: () => events.flatMap(({ event, data }) => (event === 'change' ? [data.noun] : [])),
    hasEnded: () => hasEnded,
    leave: () => reader?.cancel(),
  };
}

/** As long as a busy machine needs. */

test('tells a user what changes in its workspaces, whoever does it, and nobody else', async () => {
  const { owner, project, key } = await createTenant(kit);
  const stranger = await signUp(kit);
  const [own, others] = [await listen(owner.as), await listen(stranger.as)];
  await expect.poll(() => own.events.map(({ event }) => event)).toEqual(['ready']);
  const { id } = await createCollection(kit, owner, { projectId: project.id, name: 'more', dimension: 8 });
  await must(
    call(kit, { method: 'POST', path: '/api/collections/more/documents', body: { id: 'a' }, as: key }),
  );
  await expect.poll(() => own.nouns()).toEqual(['collections', 'documents']);
  expect(own.events.slice(1).map(({ data }) => data)).toMatchObject([
    { id, workspaceId: owner.workspace.id },
    { id, workspaceId: owner.workspace.id },
  ]);
  await createProject(kit, stranger);
  await expect.poll(() => others.nouns()).toEqual(['projects']);
  expect(own.nouns()).toEqual(['collections', 'documents']);
  await Promise.all([own.leave(), others.leave()]);
});

test('tells how far an import is, also one of which nothing goes in, and that it is over', async () => {
  const { owner, key } = await createTenant(kit);
  const own = await listen(owner.as);
  await expect.poll(() => own.events.map(({ event }) => event)).toContain('ready');
  await call(kit, {
    method: 'POST',
    path: '/api/collections/things/documents/import',
    body: [1, 2],
    as: key,
  });
  await expect.poll(() => own.nouns()).toContain('imports');
  await own.leave();
});

test('goes on without a gap behind the position that an answer had, or the last event', async () => {
  const owner = await signUp(kit);
  const { headers } = await call(kit, {
    method: 'GET',
    path: '/trpc/projects.list?input=%7B%22workspaceId%22%3A1%7D',
    as: owner.as,
  });
  const position = headers.get(livePositionHeader) ?? '';
  await createProject(kit, owner, 'meanwhile');
  const first = await listen(owner.as, position);
  await expect.poll(() => first.nouns()).toEqual(['projects']);
  await first.leave();
  await createProject(kit, owner, 'between');
  const second = await listen(owner.as, first.events.at(-1)?.id);
  await expect.poll(() => second.nouns()).toEqual(['projects']);
  expect(second.events.map(({ event }) => event)).toEqual(['ready', 'change']);
  await second.leave();
  const third = await listen(owner.as, 'of another server');
  await expect.poll(() => third.events.map(({ event }) => event)).toEqual(['reset']);
  await third.leave();
});

test('goes on behind the oldest of several positions, in whichever order they are told', async () => {
  const owner = await signUp(kit);
  const stream = await listen(owner.as);
  await createProject(kit, owner, 'first');
  await expect.poll(() => stream.nouns()).toEqual(['projects']);
  await createProject(kit, owner, 'second');
  await expect.poll(() => stream.nouns()).toEqual(['projects', 'projects']);
  const [older, , newer] = stream.events.map(({ id }) => id);
  await stream.leave();
  for (const positions of [
    [older, newer],
    [newer, older],
  ]) {
    const both = await listen(owner.as, ...positions);
    await expect.poll(() => both.nouns()).toEqual(['projects', 'projects']);
    expect(both.events[0]).toMatchObject({ event: 'ready', id: older });
    await both.leave();
  }
  const unknown = await listen(owner.as, newer, 'of another server');
  await expect.poll(() => unknown.events.map(({ event }) => event)).toEqual(['reset']);
  await unknown.leave();
  const path = `/api/live?${'after=x&'.repeat(11)}`;
  expect((await call(kit, { method: 'GET', path, as: owner.as })).status).toBe(400);
});

test('ends with its session, and with no other', async () => {
  const owner = await signUp(kit);
  const { as } = await signIn(kit, owner.user);
  const [one, other] = [await listen(owner.as), await listen(as)];
  await must(call(kit, { method: 'POST', path: '/api/auth/logout', body: {}, as }));
  await expect.poll(() => other.hasEnded()).toBe(true);
  expect(other.events.at(-1)?.event).toBe('end');
  await createProject(kit, owner);
  await expect.poll(() => one.nouns()).toEqual(['projects']);
  expect(one.hasEnded()).toBe(false);
  await one.leave();
  const { status } = await call(kit, { method: 'GET', path: '/api/live', as });
  expect(status).toBe(401);
});

test('whose user comes into another workspace is told that all may be new', async () => {
  const owner = await signUp(kit);
  const stream = await listen(owner.as);
  await must(call(kit, { method: 'POST', path: '/api/workspaces', body: { name: 'Second' }, as: owner.as }));
  await expect.poll(() => stream.events.map(({ event }) => event)).toContain('reset');
  await stream.leave();
});

test('tells a member who was removed, or has left, nothing more of the workspace', async () => {
  const owner = await signUp(kit);
  const [removed, left] = [await signUp(kit), await signUp(kit)];
  const { id: workspaceId } = owner.workspace;
  await kit.deps.record.write((tx) =>
    tx
      .insert(members)
      .values([removed, left].map(({ user }) => ({ workspaceId, userId: user.id, role: 'viewer' as const }))),
  );
  const streams = [await listen(removed.as), await listen(left.as)];
  const path = `/api/workspaces/${workspaceId}`;
  await must(call(kit, { method: 'DELETE', path: `${path}/members/${removed.user.id}`, as: owner.as }));
  await must(call(kit, { method: 'DELETE', path: `${path}/membership`, as: left.as }));
  const before = streams.map(({ nouns }) => nouns().length);
  await createProject(kit, owner);
  for (const other of [removed, left]) await createProject(kit, other);
  for (const [i, { nouns, events, leave }] of streams.entries()) {
    await expect.poll(() => nouns().slice(before[i])).toContain('projects');
    const told = events.filter(({ data }) => data.noun === 'projects' && data.workspaceId === workspaceId);
    expect(told).toEqual([]);
    await leave();
  }
});

test('goes on with a reset when the connection that hears of changes was lost', async () => {
  const owner = await signUp(kit);
  const stream = await listen(owner.as);
  await kit.deps.record.write((db) =>
    db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen vectora_%' and datname = current_database()`,
    ),
  );
  // Callers have to be asked for anew as well, so it ends; the next one begins where nothing is known.
  await expect.poll(() => stream.hasEnded()).toBe(true);
  const again = await listen(owner.as, stream.events.at(-1)?.id);
  await expect.poll(() => again.events[0]?.event).toBe('reset');
  await createProject(kit, owner);
  await expect.poll(() => again.nouns()).toEqual(['projects']);
  await again.leave();
});

test('is for signed-in users, and so many of an account', async () => {
  const { owner, key } = await createTenant(kit);
  for (const [as, status] of [
    [null, 401],
    [key, 403],
  ] as const) {
    expect(
      (await call(kit, { method: 'GET', path: '/api/live', as: as === null ? null : { key: key.key ?? '' } }))
        .status,
    ).toBe(status);
  }
  const streams = [];
  for (let i = 0; i < limits.liveStreamsPerAccountMax; i += 1) streams.push(await listen(owner.as));
  const refused = await call(kit, { method: 'GET', path: '/api/live', as: owner.as });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  await streams[0]?.leave();
  const again = await listen(owner.as);
  expect(again.status).toBe(200);
  for (const stream of [...streams, again]) await stream.leave();
});

test('a reader that takes nothing is let go', async () => {
  const owner = await signUp(kit);
  const response = await kit.app.request(`${origin}/api/live`, {
    headers: { host: 'localhost', ...owner.as },
  });
  const before = kit.deps.live.listening;
  for (let i = 0; i < 2_000; i += 1) {
    const change = {
      workspaceId: owner.workspace.id,
      action: 'projects.update',
      targetId: i,
      requestId: null,
    };
    await kit.deps.record.write((db) =>
      db.execute(
        sql`select pg_notify('vectora_acts', ${`${change.workspaceId} ${change.action} ${i} x`}) from generate_series(1, 20)`,
      ),
    );
    if (kit.deps.live.listening < before) break;
  }
  await expect.poll(() => kit.deps.live.listening).toBe(before - 1);
  await response.body?.cancel();
});
