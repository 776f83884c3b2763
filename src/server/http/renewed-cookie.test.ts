import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type SignedUp, signUp } from '../testing/callers.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { type Kit, startKit } from '../testing/kit.ts';

const dayMs = 24 * 60 * 60_000;
const { clock, pass } = fakeClock(new Date());
let kit: Kit;
let owner: SignedUp;
beforeAll(async () => {
  kit = await startKit({ clock });
  owner = await signUp(kit);
});
afterAll(() => kit.close());

test('a session that is renewed sends its cookie again, with its new end, and once', async () => {
  const cookies = async (path: string) => {
    const { status, headers } = await call(kit, { method: 'GET', path, as: owner.as });
    expect(status).toBe(200);
    return headers.getSetCookie();
  };
  for (const path of ['/api/workspaces', '/trpc/workspaces.list']) {
    expect(await cookies(path)).toEqual([]);
    pass(4 * dayMs);
    const [cookie = '', ...others] = await cookies(path);
    expect(others).toEqual([]);
    expect(cookie).toContain(owner.as.cookie);
    expect(cookie).toContain(`Expires=${new Date(clock().getTime() + 7 * dayMs).toUTCString()}`);
    expect(await cookies(path)).toEqual([]);
  }
});
