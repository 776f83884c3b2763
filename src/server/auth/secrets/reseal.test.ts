import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose } from '#server/compose.ts';
import { secondFactors } from '#server/db/schema/accounts.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { webhooks } from '#server/db/schema/webhooks.ts';
import { readSettings, type Settings } from '#server/env.ts';
import { createApp } from '#server/http/app.ts';
import { createLog } from '#server/log.ts';
import { call, createKey, createProject, must, signIn, signUp } from '#server/testing/callers.ts';
import { type FreshDatabase, freshDatabase } from '#server/testing/databases.ts';
import { type Kit, roomy } from '#server/testing/kit.ts';
import type { NewWebhook } from '#shared/webhooks.ts';
import { keyBinding } from '../keys/key-format.ts';
import { secretBinding } from '../second-factor/spend-code.ts';
import { makeTotpSecret } from '../second-factor/totp.ts';
import { createSecretBox } from './secret-box.ts';
import { webhookBinding } from './webhook-binding.ts';

const [first, second] = ['the secret of the first two years', 'the secret of the years thereafter'];
const rootDir = path.resolve(import.meta.dirname, '../../../..');

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.cleanup());

/** One start after the other, all on the same database. */
async function withServer<T>(
  own: Pick<Settings, 'appSecret'> & Partial<Settings>,
  act: (kit: Kit) => Promise<T>,
): Promise<T> {
  const settings = { ...readSettings({}), ...roomy, ...database.settings, ...own };
  const logLines: string[] = [];
  const log = createLog('info', (line) => logLines.push(line));
  const { deps, stop } = await compose({ settings, log, clock: () => new Date(), rootDir });
  try {
    return await act({ app: createApp(deps, { clientDir: null }), deps, logLines, close: stop });
  } finally {
    await stop();
  }
}

test('with a new application secret and the former one, keys are revealed and second factors work as before', async () => {
  const before = await withServer({ appSecret: first }, async (kit) => {
    const { user, as, ...owner } = await signUp(kit);
    const project = await createProject(kit, { user, as, ...owner });
    const { id, key } = await createKey(kit, { user, as, ...owner }, { projectId: project.id });
    const hook = { name: 'On call', url: 'https://1.1.1.1/', workspaceId: owner.workspace.id };
    const webhook = await must(
      call<NewWebhook>(kit, { method: 'POST', path: '/api/webhooks', body: hook, as }),
    );
    const totp = makeTotpSecret();
    await kit.deps.record.write(async (tx) => {
      const secret = kit.deps.secrets.seal(totp, secretBinding(user.id));
      await tx.insert(secondFactors).values({ userId: user.id, secret });
      // More than are read at once; and one that no secret opens.
      const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
      if (!row) throw new Error('the key is not in the record');
      const { id: _, ...rest } = row;
      const copies = Array.from({ length: 501 }, (_, i) => ({ ...rest, hash: new Uint8Array([i >> 8, i]) }));
      const made = await tx.insert(apiKeys).values(copies).returning({ id: apiKeys.id });
      const foreign = createSecretBox('a secret that nobody remembers any more');
      for (const [i, copy] of made.entries()) {
        const box = i === 0 ? foreign : kit.deps.secrets;
        const ciphertext = box.seal(`copy ${copy.id}`, keyBinding(project.id, copy.id));
        await tx.update(apiKeys).set({ ciphertext }).where(eq(apiKeys.id, copy.id));
      }
    });
    return { user, id, key, totp, webhook };
  });

  const reveal = async (kit: Kit, id = before.id) => {
    // Session cookies are signed with the secret.
    const { as } = await signIn(kit, before.user);
    return await must(call<{ key: string }>(kit, { method: 'POST', path: `/api/api-keys/${id}/reveal`, as }));
  };
  const expectAllAsBefore = async (kit: Kit) => {
    expect((await reveal(kit)).key).toBe(before.key);
    const [factor] = await kit.deps.record.db.select().from(secondFactors);
    if (!factor) throw new Error('the second factor is not in the record');
    expect(kit.deps.secrets.open(factor.secret, secretBinding(before.user.id))).toBe(before.totp);
    const { id, workspaceId, secret } = before.webhook;
    const [hook] = await kit.deps.record.db.select().from(webhooks);
    if (!hook) throw new Error('the webhook is not in the record');
    expect(kit.deps.secrets.open(hook.secret, webhookBinding(workspaceId, id))).toBe(secret);
  };

  await withServer({ appSecret: second, appSecretFormer: first }, async (kit) => {
    await expectAllAsBefore(kit);
    const counts = kit.logLines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'sealed with the new application secret');
    expect(counts).toMatchObject([
      { what: 'apiKeys', resealed: 501, unreadable: 1 },
      { what: 'secondFactors', resealed: 1, unreadable: 0 },
      { what: 'webhooks', resealed: 1, unreadable: 0 },
    ]);
  });
  await withServer({ appSecret: second }, async (kit) => {
    await expectAllAsBefore(kit);
    expect(kit.logLines.join('\n')).not.toContain('The application secret is not the one');
    const rows = await kit.deps.record.db.select().from(apiKeys);
    const unreadable = rows.filter(({ id, projectId, ciphertext }) => {
      try {
        kit.deps.secrets.open(ciphertext, keyBinding(projectId, id));
        return false;
      } catch {
        return true;
      }
    });
    expect(unreadable).toHaveLength(1);
  });
});
