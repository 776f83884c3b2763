import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { databases } from '#server/testing/databases.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { ownerIdOf } from './owner-id-of.ts';

describe.each(databases)('the account that owns a workspace, on the %s database', (kind) => {
  let record: RecordStore;
  let close: () => Promise<void>;
  let people = 0;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord(kind));
  });
  afterAll(() => close());

  async function account(disabledAt: Date | null = null): Promise<number> {
    const name = `person${++people}`;
    const keys = { email: name, emailKey: name, username: name, usernameKey: name, passwordHash: '-' };
    const [made] = await record.write((db) =>
      db
        .insert(users)
        .values({ ...keys, disabledAt })
        .returning(),
    );
    return made?.id ?? 0;
  }

  type Member = [userId: number, role: 'owner' | 'admin', year: number];

  async function ownerOf(given: Member[]): Promise<number | null | undefined> {
    const projectId = await record.write(async (db) => {
      const [workspace] = await db.insert(workspaces).values({ name: 'w', slug: 'w' }).returning();
      const workspaceId = workspace?.id ?? 0;
      const [project] = await db.insert(projects).values({ workspaceId, name: 'p', slug: 'p' }).returning();
      for (const [userId, role, year] of given)
        await db.insert(members).values({ workspaceId, userId, role, roleSince: new Date(Date.UTC(year)) });
      return project?.id ?? 0;
    });
    const [found] = await record.db
      .select({ ownerId: ownerIdOf(projects.workspaceId) })
      .from(projects)
      .where(eq(projects.id, projectId));
    return found?.ownerId;
  }

  test('is nobody where no member is its owner', async () => {
    expect(await ownerOf([])).toBeNull();
    expect(await ownerOf([[await account(), 'admin', 2026]])).toBeNull();
  });

  test('of several it is the one that has been it longest, whoever has the lower id', async () => {
    const [older, founder, newer] = [await account(), await account(), await account()];
    const given: Member[] = [
      [older, 'owner', 2026],
      [founder, 'owner', 2024],
      [newer, 'owner', 2025],
    ];
    expect(await ownerOf(given)).toBe(founder);
  });

  test('is a disabled one only where there is no other', async () => {
    const [disabled, other] = [await account(new Date()), await account()];
    expect(await ownerOf([[disabled, 'owner', 2024]])).toBe(disabled);
    expect(
      await ownerOf([
        [disabled, 'owner', 2024],
        [other, 'owner', 2026],
      ]),
    ).toBe(other);
  });
});
