import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversations } from '#server/db/schema/conversations.ts';
import { type Credentials, call, createKey, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ChatAnswer, Conversation, ConversationWithMessages } from '#shared/chat.ts';
import { limits } from '#shared/limits.ts';

/** A page has a key that anybody can read in it, and its visitors ask with it. */

let kit: Kit;
let tenant: Awaited<ReturnType<typeof createTenant>>;
let key: { id: number; key: string };
beforeAll(async () => {
  kit = await startKit({ settings: { trustProxy: true } });
  tenant = await createTenant(kit, { name: 'films' });
  const document = { id: 'solaris', title: 'Solaris', extract: 'Solaris is a film of 1972.' };
  const as = tenant.key;
  await must(call(kit, { method: 'POST', path: '/api/collections/films/documents', body: document, as }));
});
beforeEach(async () => {
  key = await createKey(kit, tenant.owner, { projectId: tenant.project.id, permissions: ['read'] });
});
afterAll(() => kit.close());

interface Asking {
  from?: string;
  as?: Credentials;
  conversation_id?: number;
  conversation_token?: string | null;
}
const ask = ({ from = '198.51.100.1', as = key, ...more }: Asking = {}) =>
  call<ChatAnswer>(kit, {
    method: 'POST',
    path: '/api/collections/films/chat',
    body: { message: 'When was Solaris made?', ...more },
    as,
    headers: { 'x-forwarded-for': from },
  });
const read = (id: number, token?: string | null, as: Credentials = key) =>
  call<ConversationWithMessages>(kit, {
    method: 'GET',
    path: `/api/conversations/${id}${token == null ? '' : `?token=${encodeURIComponent(token)}`}`,
    as,
  });
const list = (as: Credentials) =>
  must(call<Conversation[]>(kit, { method: 'GET', path: '/api/conversations', as }));

describe('with a key that only reads', () => {
  test('nobody lists, reads or goes on with what another visitor asked', async () => {
    const { conversation_id: id, conversation_token: token } = await must(ask());
    const other = await must(ask());
    expect(await list(key)).toEqual([]);
    for (const wrong of [null, '', 'x', other.conversation_token, `${token}x`, token?.slice(1)]) {
      expect((await read(id, wrong)).status, `${wrong}`).toBe(404);
      const more = { conversation_id: id, conversation_token: wrong ?? null };
      expect((await ask(more)).status, `${wrong}`).toBe(404);
    }
    const unknown = await read(id + 1_000_000, token);
    const shut = await read(id, 'x');
    const told = ({ body }: { body: object }) => ({ ...body, requestId: '' });
    expect(told(shut)).toEqual(told(unknown));
  });

  test('whoever began one reads it and goes on with it by its token', async () => {
    const { conversation_id: id, conversation_token: token } = await must(ask());
    const next = await must(ask({ conversation_id: id, conversation_token: token }));
    expect(next).toMatchObject({ conversation_id: id, conversation_token: token });
    expect((await must(read(id, token))).messages).toHaveLength(4);
    const another = await createKey(kit, tenant.owner, {
      projectId: tenant.project.id,
      permissions: ['read'],
    });
    expect((await read(id, token, another)).status).toBe(404);
  });

  test('whoever begins many pushes out the own ones, and nobody else’s', async () => {
    const first = await must(ask({ from: '198.51.100.1' }));
    const second = await must(ask({ from: '203.0.113.2' }));
    const [row] = await kit.deps.record.db
      .select()
      .from(conversations)
      .where(eq(conversations.id, second.conversation_id));
    expect(row?.beginner).not.toContain('203');
    const rows = Array.from({ length: limits.conversationsPerOwnerMax - 2 }, (_, i) => ({
      projectId: tenant.project.id,
      keyId: key.id,
      beginner: row?.beginner ?? null,
      name: `number ${i}`,
      updatedAt: kit.deps.clock(),
    }));
    await kit.deps.record.write((tx) => tx.insert(conversations).values(rows));
    const third = await must(ask({ from: '203.0.113.2' }));
    expect((await read(first.conversation_id, first.conversation_token)).status).toBe(200);
    expect((await read(second.conversation_id, second.conversation_token)).status).toBe(404);
    expect((await read(third.conversation_id, third.conversation_token)).status).toBe(200);
    const held = kit.deps.record.db.$count(conversations, eq(conversations.keyId, key.id));
    expect(await held).toBe(limits.conversationsPerOwnerMax);
  });
});

test('a key that may write, and a user, have theirs without a token', async () => {
  for (const as of [tenant.key, tenant.owner.as]) {
    const path = `/api/collections/${tenant.collection.id}/chat`;
    const body = { message: 'When was Solaris made?' };
    const asked = await must(call<ChatAnswer>(kit, { method: 'POST', path, body, as }));
    expect(asked.conversation_token).toBeNull();
    expect((await list(as)).map(({ id }) => id)).toContain(asked.conversation_id);
    expect((await read(asked.conversation_id, null, as)).status).toBe(200);
  }
});
