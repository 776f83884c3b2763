import { and, eq, isNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { documents } from '#server/db/schema/collections.ts';
import { conversationMessages, conversations } from '#server/db/schema/conversations.ts';
import { members } from '#server/db/schema/workspaces.ts';
import {
  type Credentials,
  call,
  createCollection,
  createKey,
  createProject,
  must,
  type SignedUp,
  signUp,
} from '#server/testing/callers.ts';
import { administer } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { countLockWaits } from '#server/testing/lock-waits.ts';
import type { AssistantMessage, ChatAnswer, Conversation, ConversationWithMessages } from '#shared/chat.ts';
import { limits } from '#shared/limits.ts';
import { purge } from '../deletion/purge.ts';

/** Conversations are kept for whoever began them, and say which of their answers rest on what is not so any more. */

let kit: Kit;
let owner: SignedUp;
let projectId: number;
let key: { key: string };

beforeAll(async () => {
  kit = await startKit();
  owner = await signUp(kit);
  ({ id: projectId } = await createProject(kit, owner));
  await createCollection(kit, owner, { projectId, name: 'films' });
  key = { key: (await createKey(kit, owner, { projectId })).key };
  await put({
    id: 'solaris',
    title: 'Solaris',
    extract: 'Solaris is a 1972 film directed by Andrei Tarkovsky.',
  });
});
afterAll(() => kit.close());

async function put(document: { id: string; [field: string]: unknown }): Promise<void> {
  const path = `/api/collections/films/documents/${document.id}`;
  await must(call(kit, { method: 'PUT', path, body: document, as: key }));
}

const ask = (message: string, as: Credentials = key, more: object = {}) =>
  call<ChatAnswer>(kit, {
    method: 'POST',
    path: '/api/collections/films/chat',
    body: { message, ...more },
    as,
  });
const read = (id: number, as: Credentials = key) =>
  must(call<ConversationWithMessages>(kit, { method: 'GET', path: `/api/conversations/${id}`, as }));
const request = (method: string, id: number, as: Credentials, body?: object) =>
  call<Conversation>(kit, { method, path: `/api/conversations/${id}`, as, ...(body && { body }) });

async function lastAnswer(id: number): Promise<AssistantMessage> {
  const last = (await read(id)).messages.at(-1);
  if (last?.role !== 'assistant') throw new Error('the last message is no answer');
  return last;
}

test('a conversation goes on, and is listed, renamed and deleted by its owner', async () => {
  const first = await must(ask('Who directed Solaris?'));
  const id = first.conversation_id;
  const second = await must(ask('When was it made?', key, { conversation_id: id }));
  expect(second).toMatchObject({ conversation_id: id, question: 'When was Solaris made?', answered: true });

  const whole = await read(id);
  expect(whole).toMatchObject({ id, name: 'Who directed Solaris?', projectId, messageCount: 4 });
  expect(whole.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Who directed Solaris?'],
    ['assistant', first.answer],
    ['user', 'When was it made?'],
    ['assistant', second.answer],
  ]);
  const { sources, sentences, model, question, answered, collections } = first;
  expect(collections).toEqual([{ id: expect.any(Number), name: 'films' }]);
  const told = { sources, sentences, model, question, answered, collections };
  expect(whole.messages[1]).toMatchObject({ ...told, stale: false });

  const paged = await call<ConversationWithMessages>(kit, {
    method: 'GET',
    path: `/api/conversations/${id}?per_page=3&page=2`,
    as: key,
  });
  expect(paged.body.messages.map(({ content }) => content)).toEqual([second.answer]);
  expect(paged.headers.get('x-total-count')).toBe('4');

  expect(await request('PUT', id, key, { name: 'Tarkovsky' })).toMatchObject({
    status: 200,
    body: { id, name: 'Tarkovsky', messageCount: 4 },
  });
  const list = await call<Conversation[]>(kit, {
    method: 'GET',
    path: '/api/conversations?per_page=1',
    as: key,
  });
  expect(list.body).toMatchObject([{ id, name: 'Tarkovsky' }]);
  const workspaces = [owner.workspace.id, owner.workspace.id + 1_000_000];
  const inWorkspaces = workspaces.map((workspaceId) =>
    must(
      call<Conversation[]>(kit, {
        method: 'GET',
        path: `/api/conversations?workspaceId=${workspaceId}`,
        as: key,
      }),
    ),
  );
  expect((await Promise.all(inWorkspaces)).map((rows) => rows.some((row) => row.id === id))).toEqual([
    true,
    false,
  ]);
  const deleted = await request('DELETE', id, key);
  expect(deleted).toMatchObject({ status: 200, body: { id } });
  expect((await request('GET', id, key)).status).toBe(404);
  expect((await ask('When?', key, { conversation_id: id })).status).toBe(404);
  const requestId = deleted.headers.get('x-request-id') ?? '';
  const entries = await kit.deps.record.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.requestId, requestId));
  expect(entries).toMatchObject([
    { action: 'conversations.delete', actorKind: 'key', before: { conversation: id } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Tarkovsky');
});

test('a deleted conversation is restored as it was within the time of Undo, by whoever began it; then it is purged', async () => {
  const { conversation_id: id } = await must(ask('Who directed Solaris?'));
  const before = await read(id);
  const other = { key: (await createKey(kit, owner, { projectId })).key };
  const restore = (as: Credentials) =>
    call(kit, { method: 'POST', path: '/trpc/conversations.restore', body: { id }, as });
  expect((await restore(key)).status).toBe(404);
  await must(request('DELETE', id, key));
  expect((await request('DELETE', id, key)).status).toBe(404);
  expect((await request('PUT', id, key, { name: 'x' })).status).toBe(404);
  expect((await restore(other)).status).toBe(404);
  await must(restore(key));
  expect(await read(id)).toEqual(before);

  await must(request('DELETE', id, key));
  const left = () => kit.deps.record.db.$count(conversations, eq(conversations.id, id));
  const { record, clock, log, settings } = kit.deps;
  const parts = { record, log, auditKeepDays: 365, dropIndex: async () => undefined };
  const { purgeAfterMs } = settings;
  await purge({ ...parts, clock, purgeAfterMs });
  expect(await left()).toBe(1);
  await purge({ ...parts, clock: () => new Date(clock().getTime() + 60_000), purgeAfterMs: 0 });
  expect(await left()).toBe(0);
  expect((await restore(key)).status).toBe(404);
});

test('none comes back while its owner’s account is being deleted', async () => {
  const guest = await signUp(kit);
  const row = { workspaceId: owner.workspace.id, userId: guest.user.id, role: 'editor' } as const;
  await kit.deps.record.write((tx) => tx.insert(members).values(row));
  const collection = await must(
    call<{ id: number }>(kit, { method: 'GET', path: '/api/collections/films', as: key }),
  );
  const path = `/api/collections/${collection.id}/chat`;
  const body = { message: 'Who directed Solaris?' };
  const asked = await must(call<ChatAnswer>(kit, { method: 'POST', path, body, as: guest.as }));
  const id = asked.conversation_id;
  await must(request('DELETE', id, guest.as));
  let isOver = false;
  const url = kit.deps.settings.databaseUrl ?? '';
  const restoring = await administer(url, (other) =>
    other.begin(async (tx) => {
      await tx`select from users where id = ${guest.user.id} for update`;
      await tx`update conversations set deleted_at = now() where user_id = ${guest.user.id} and deleted_at is null`;
      const attempt = call(kit, {
        method: 'POST',
        path: '/trpc/conversations.restore',
        body: { id },
        as: guest.as,
      });
      void attempt.then(() => {
        isOver = true;
      });
      const waits = () => countLockWaits(url, '%users%');
      await expect.poll(async () => isOver || (await waits()) > 0).toBe(true);
      await tx`delete from users where id = ${guest.user.id}`;
      return { attempt };
    }),
  );
  expect((await restoring.attempt).status).toBe(404);
  const kept = and(eq(conversations.id, id), isNull(conversations.deletedAt));
  expect(await kit.deps.record.db.$count(conversations, kept)).toBe(0);
});

test('they are one user’s or one key’s: nobody else’s, in the same project either', async () => {
  const byUser = (await must(ask('Who directed Solaris?', owner.as))).conversation_id;
  const byKey = (await must(ask('Who directed Solaris?'))).conversation_id;
  const otherKey = { key: (await createKey(kit, owner, { projectId })).key };
  for (const [id, as] of [
    [byUser, key],
    [byUser, otherKey],
    [byKey, otherKey],
    [byKey, owner.as],
  ] as const) {
    expect((await request('GET', id, as)).status).toBe(404);
    expect((await request('PUT', id, as, { name: 'Mine' })).status).toBe(404);
    expect((await request('DELETE', id, as)).status).toBe(404);
    expect((await ask('When?', as, { conversation_id: id })).status).toBe(404);
  }
  const listed = await must(
    call<Conversation[]>(kit, { method: 'GET', path: '/api/conversations', as: otherKey }),
  );
  expect(listed).toEqual([]);
});

test('who is no member any more sees no conversation about what is in the workspace', async () => {
  const guest = await signUp(kit);
  const row = { workspaceId: owner.workspace.id, userId: guest.user.id, role: 'viewer' } as const;
  await kit.deps.record.write((tx) => tx.insert(members).values(row));
  const { id: collection } = await must(
    call<{ id: number }>(kit, { method: 'GET', path: '/api/collections/films', as: key }),
  );
  const asked = await must(
    call<ChatAnswer>(kit, {
      method: 'POST',
      path: `/api/collections/${collection}/chat`,
      body: { message: 'Who directed Solaris?' },
      as: guest.as,
    }),
  );
  expect((await request('GET', asked.conversation_id, guest.as)).status).toBe(200);
  await kit.deps.record.write((tx) => tx.delete(members).where(eq(members.userId, guest.user.id)));
  expect((await request('GET', asked.conversation_id, guest.as)).status).toBe(404);
  const list = await must(call<unknown[]>(kit, { method: 'GET', path: '/api/conversations', as: guest.as }));
  expect(list).toEqual([]);
});

test('an answer is stale once a document that it cites was changed or is gone, and no other is', async () => {
  await put({
    id: 'stalker',
    title: 'Stalker',
    extract: 'Stalker is a 1979 film directed by Andrei Tarkovsky.',
  });
  const { conversation_id: id, sources } = await must(ask('When was Stalker made?'));
  const place = sources.findIndex((source) => source.id === 'stalker') + 1;
  const { conversation_id: other } = await must(ask('When was Solaris made?'));
  expect(await lastAnswer(id)).toMatchObject({ stale: false, staleSources: [] });

  await put({
    id: 'stalker',
    title: 'Stalker',
    extract: 'Stalker is a 1980 film directed by Andrei Tarkovsky.',
  });
  expect(await lastAnswer(id)).toMatchObject({ stale: true, staleSources: [place] });
  expect(await lastAnswer(other)).toMatchObject({ stale: false });

  const again = await must(ask('When was Stalker made?', key, { conversation_id: id }));
  expect(again.answer).toContain('1980');
  expect(await lastAnswer(id)).toMatchObject({ stale: false });
  const path = '/api/collections/films/documents/stalker';
  await must(call(kit, { method: 'DELETE', path, as: key }));
  expect(await lastAnswer(id)).toMatchObject({ stale: true, staleSources: expect.any(Array) });
});

test('an answer is not stale because vectors of what it cites were made anew', async () => {
  await put({
    id: 'mirror',
    title: 'Mirror',
    extract: 'Mirror is a 1975 film directed by Andrei Tarkovsky.',
  });
  // As the transformer does in the background, before a question and after it.
  const upgrade = () =>
    kit.deps.record.write((tx) =>
      tx
        .update(documents)
        .set({
          version: sql`${documents.version} + 1000`,
          writtenVersion: sql`coalesce(${documents.writtenVersion}, ${documents.version})`,
        })
        .where(eq(documents.id, 'mirror')),
    );
  await upgrade();
  const { conversation_id: id, sources } = await must(ask('When was Mirror made?'));
  expect(sources.map((source) => source.id)).toContain('mirror');
  expect(await lastAnswer(id)).toMatchObject({ stale: false, staleSources: [] });
  await upgrade();
  expect(await lastAnswer(id)).toMatchObject({ stale: false, staleSources: [] });
});

test('an answer is stale while its collection is deleted', async () => {
  const { id: collection } = await createCollection(kit, owner, { projectId, name: 'short-lived' });
  const at = `/api/collections/${collection}`;
  const document = {
    id: '1',
    title: 'Nostalghia',
    extract: 'Nostalghia is a 1983 film by Andrei Tarkovsky.',
  };
  await must(call(kit, { method: 'POST', path: `${at}/documents`, body: document, as: key }));
  const body = { message: 'When was Nostalghia made?' };
  const { conversation_id: id } = await must(
    call<ChatAnswer>(kit, { method: 'POST', path: `${at}/chat`, body, as: key }),
  );
  expect((await lastAnswer(id)).stale).toBe(false);
  await must(call(kit, { method: 'DELETE', path: at, as: owner.as }));
  expect((await lastAnswer(id)).stale).toBe(true);
});

test('they go with their key and their project', async () => {
  const { id: doomed } = await createProject(kit, owner, 'Doomed');
  const { id: collection } = await createCollection(kit, owner, { projectId: doomed, name: 'doomed' });
  const made = await createKey(kit, owner, { projectId: doomed });
  const askThere = async (as: Credentials) => {
    const path = `/api/collections/${collection}/chat`;
    const body = { message: 'Is there anything?' };
    return (await must(call<ChatAnswer>(kit, { method: 'POST', path, body, as }))).conversation_id;
  };
  const byKey = await askThere({ key: made.key });
  const byUser = await askThere(owner.as);
  await must(call(kit, { method: 'DELETE', path: `/api/api-keys/${made.id}`, as: owner.as }));
  // A key can be brought back until it is purged.
  const { record, clock, log } = kit.deps;
  const later = () => new Date(clock().getTime() + 60_000);
  await purge({
    record,
    log,
    clock: later,
    purgeAfterMs: 0,
    auditKeepDays: 365,
    dropIndex: async () => undefined,
  });
  const left = await kit.deps.record.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.projectId, doomed));
  expect(left).toEqual([{ id: byUser }]);
  const messages = await kit.deps.record.db.$count(
    conversationMessages,
    eq(conversationMessages.conversationId, byKey),
  );
  expect(messages).toBe(0);
  await must(call(kit, { method: 'DELETE', path: `/api/projects/${doomed}`, as: owner.as }));
  expect((await request('GET', byUser, owner.as)).status).toBe(404);
});

test('a full conversation takes no more, also when two ask at once', async () => {
  const { conversation_id: id } = await must(ask('Who directed Solaris?'));
  const filler = Array.from({ length: limits.conversationMessagesMax - 4 }, () => ({
    conversationId: id,
    projectId,
    role: 'user' as const,
    content: 'x',
  }));
  await kit.deps.record.write((tx) => tx.insert(conversationMessages).values(filler));
  const both = await Promise.all([
    ask('Who directed Solaris?', key, { conversation_id: id }),
    ask('Who directed Solaris?', key, { conversation_id: id }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect((await read(id)).messageCount).toBe(limits.conversationMessagesMax);
  expect((await ask('Again?', key, { conversation_id: id })).status).toBe(422);
});

test('the one that was used longest ago makes room for a new one', async () => {
  const { id: other } = await createProject(kit, owner, 'Many');
  const { id: collection } = await createCollection(kit, owner, { projectId: other, name: 'many' });
  const made = await createKey(kit, owner, { projectId: other });
  const rows = Array.from({ length: limits.conversationsPerOwnerMax }, (_, i) => ({
    projectId: other,
    keyId: made.id,
    name: `number ${i}`,
    updatedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, i)),
  }));
  await kit.deps.record.write((tx) => tx.insert(conversations).values(rows));
  const path = `/api/collections/${collection}/chat`;
  const as = { key: made.key };
  await must(call(kit, { method: 'POST', path, body: { message: 'The newest?' }, as }));
  const kept = await kit.deps.record.db
    .select({ name: conversations.name })
    .from(conversations)
    .where(eq(conversations.keyId, made.id))
    .orderBy(conversations.updatedAt);
  expect(kept).toHaveLength(limits.conversationsPerOwnerMax);
  expect(kept[0]?.name).toBe('number 1');
  expect(kept.at(-1)?.name).toBe('The newest?');
});

test('a read-only key asks and reads, and changes nothing of a conversation', async () => {
  const reader = { key: (await createKey(kit, owner, { projectId, permissions: ['read'] })).key };
  const { conversation_id: id } = await must(ask('Who directed Solaris?', reader));
  expect((await request('PUT', id, reader, { name: 'x' })).status).toBe(403);
  expect((await request('DELETE', id, reader)).status).toBe(403);
});
