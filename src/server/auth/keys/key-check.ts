import { hash, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull, or } from 'drizzle-orm';
import { addressGroup } from '#server/admission/address.ts';
import type { ReadDatabase } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';
import { ownerIdOf } from '#server/workspaces/owner-id-of.ts';
import type { Auth } from '../auth.ts';
import type { Known } from '../known/known-answers.ts';
import type { KnownCallers, KnownKey } from '../known/known-callers.ts';
import type { KeyPrincipal } from '../principal.ts';
import type { LookUps } from '../tries/look-ups.ts';
import type { WindowThrottle } from '../tries/throttle.ts';
import { isWellFormedApiKey } from './key-format.ts';
import type { LastUse } from './last-use.ts';

/** One sentence for every reason, so that an answer tells nothing about keys that exist. */
function refused(key?: KnownKey): AppError {
  const { keyId = null, workspaceId = null } = key ?? {};
  return new AppError('UNAUTHORIZED', 'This API key is not valid', {
    subject: { kind: 'key', id: keyId, workspaceId },
  });
}

interface KeyCheckParts {
  db: ReadDatabase;
  known: KnownCallers['keys'];
  /** Well-formed keys from one address that nobody has. */
  unknownKeys: WindowThrottle;
  lookUps: LookUps;
  lastUse: LastUse;
  clock: () => Date;
}

interface KeyCheck {
  authenticate: Auth['authenticateKey'];
  findRejection: Auth['findKeyRejection'];
}

/** Known keys are not looked up again; see `KnownAnswers`. */
export function createKeyCheck(parts: KeyCheckParts): KeyCheck {
  const { db, known, unknownKeys, lookUps, lastUse, clock } = parts;
  /** Unknown ones that are looked up just now, each counted once however often it is shown meanwhile. */
  const counted = new Set<string>();

  async function find(name: string, address: string): Promise<Known<KnownKey>> {
    const ask = () => findKey(db, Buffer.from(name, 'hex'));
    // Who uses a key that was good lately does not pay for those who guess, from the same address or from many.
    const found = known.has(name)
      ? await known.ask(name, ask)
      : await countUnknown(name, address, () => known.ask(name, () => lookUps({ address }, ask)));
    if (!found) throw refused();
    return found;
  }

  async function countUnknown<T>(name: string, address: string, find: () => Promise<T | null>) {
    if (counted.has(name)) return await find();
    const tried = unknownKeys.take(addressGroup(address));
    counted.add(name);
    try {
      const found = await find();
      if (found !== null) tried.giveBack();
      return found;
    } catch (error) {
      tried.giveBack();
      throw error;
    } finally {
      counted.delete(name);
    }
  }

  return {
    findRejection: (name, address) =>
      known.has(name) || counted.has(name) ? null : unknownKeys.findRejection(addressGroup(address)),
    async authenticate(rawKey, address = '', name = keyName(rawKey)) {
      const young = known.find(name);
      // By its hash: what is known is well formed.
      if (young === null && !known.has(name) && !isWellFormedApiKey(rawKey)) throw refused();
      // Most keys are known: nothing is awaited for them.
      const found = young === null ? await find(name, address) : { value: young, isConfirmed: true };
      const { value: key, isConfirmed } = found;
      const now = clock();
      if (!isUsable(key, now)) throw refused(key);
      key.lastUsedAt = lastUse.note(key.keyId, key.lastUsedAt, now);
      return toKeyPrincipal(key, isConfirmed);
    },
  };
}

/** Under which a key is known: its hash, which is what the record has of it. */
export function keyName(rawKey: string): string {
  return hash('sha256', rawKey, 'hex');
}

export function isUsable({ isActive, expiresAt }: KnownKey, now: Date): boolean {
  return isActive && (expiresAt === null || expiresAt > now);
}

export function toKeyPrincipal(key: KnownKey, isConfirmed: boolean): KeyPrincipal {
  const { keyId, projectId, workspaceId, ownerId, permissions, collectionIds } = key;
  return { kind: 'key', isConfirmed, keyId, projectId, workspaceId, ownerId, permissions, collectionIds };
}

async function findKey(db: ReadDatabase, hash: Uint8Array): Promise<KnownKey | null> {
  const [row] = await db
    .select({
      key: apiKeys,
      workspaceId: projects.workspaceId,
      ownerId: ownerIdOf(projects.workspaceId),
    })
    .from(apiKeys)
    .innerJoin(projects, and(eq(projects.id, apiKeys.projectId), isNull(projects.deletedAt)))
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .where(or(eq(apiKeys.hash, hash), eq(apiKeys.formerHash, hash)));
  if (!row) return null;
  const isCurrent = timingSafeEqual(row.key.hash, hash);
  const { id: keyId, projectId, permissions, collectionIds, lastUsedAt } = row.key;
  const expiresAt = isCurrent ? row.key.expiresAt : endOfFormer(row.key, hash);
  if (expiresAt === undefined) return null;
  return {
    keyId,
    projectId,
    workspaceId: row.workspaceId,
    ownerId: row.ownerId,
    permissions,
    collectionIds,
    // One that was deleted stays known until it is purged: whoever still sends it is no guesser, and Undo counts at once.
    isActive: row.key.isActive && row.key.deletedAt === null,
    expiresAt,
    lastUsedAt,
  };
}

/** When the value before a rotation ends; undefined: it is none. */
function endOfFormer(
  { formerHash, formerUntil, expiresAt }: typeof apiKeys.$inferSelect,
  hash: Uint8Array,
): Date | undefined {
  if (formerHash === null || formerUntil === null || !timingSafeEqual(formerHash, hash)) return undefined;
  return expiresAt !== null && expiresAt < formerUntil ? expiresAt : formerUntil;
}
