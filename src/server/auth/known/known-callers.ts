import { hash } from 'node:crypto';
import { accountName, type Requester, tenantOf } from '#server/admission/requester.ts';
import type { RecordChange, RecordStore } from '#server/db/client.ts';
import type { Settings } from '#server/env.ts';
import type { Permission } from '#shared/api-keys.ts';
import type { CollectionMetadata } from '#shared/collections.ts';
import type { Metric } from '#shared/limits.ts';
import type { Role } from '#shared/roles.ts';
import type { Principal } from '../principal.ts';
import { isSessionDue, type SessionTimes } from '../sessions/session-times.ts';
import { KnownAnswers } from './known-answers.ts';

/**
 * What the record said of those who call, so that a search needs no statement: of keys by their hash, of sessions by their stored id, of
 * the collections that a caller may see by the name it used. See `KnownAnswers` for how long, and `RecordStore.onChange` for who says that
 * something has changed.
 */
export interface KnownCallers {
  readonly keys: KnownAnswers<KnownKey>;
  readonly sessions: KnownAnswers<KnownSession>;
  /** By `<caller and its limits>/<reference>`; all active ones of a caller by `<caller and its limits>`. */
  readonly collections: KnownAnswers<KnownCollections>;
  /** By `<caller and its limits>/<reference>`, for writes. */
  readonly writable: KnownAnswers<KnownCollections<KnownWritableCollection>>;
}

export interface KnownKey {
  keyId: number;
  projectId: number;
  workspaceId: number;
  ownerId: number | null;
  permissions: Permission[];
  collectionIds: number[] | null;
  isActive: boolean;
  expiresAt: Date | null;
  /** As far as it is known here: notes of it go to the record later. */
  lastUsedAt: Date | null;
}

export interface KnownSession extends SessionTimes {
  userId: number;
  /** As far as it is known here: notes of it go to the record later. */
  lastSeenAt: Date;
}

/** What searches need of a collection, and the role in which its caller sees it: null for a key. */
export interface KnownCollection {
  id: number;
  for: Requester;
  name: string;
  projectId: number;
  workspaceId: number;
  dimension: number;
  metric: Metric;
  isActive: boolean;
  rulesVersion: number;
  role: Role | null;
}

/** What writes need beside that. */
export interface KnownWritableCollection extends KnownCollection {
  metadata: CollectionMetadata | null;
}

export interface KnownCollections<Collection = KnownCollection> {
  caller: string;
  /** Whose caller that is: the account that owns the key's workspace, or the user's own. */
  tenant: string;
  /** A key's; null for a user, whose collections can be anywhere. */
  within: { projectId: number; workspaceId: number } | null;
  collections: Collection[];
}

export function callerName(principal: Principal): string {
  return principal.kind === 'key' ? `key:${principal.keyId}` : `user:${principal.userId}`;
}

/** A caller with the limits it came with: they may be changed while its request is under way, which must not lend them to later ones. */
export function sightName(principal: Principal): string {
  const caller = callerName(principal);
  return principal.kind === 'user' ? caller : `${caller}:${limitsName(principal.collectionIds)}`;
}

/** Short, however many collections there are. Those of a key that is known are the same array each time. */
function limitsName(ids: number[] | null): string {
  if (ids === null) return '*';
  const name = limitNames.get(ids) ?? hash('sha256', ids.join(), 'base64url');
  limitNames.set(ids, name);
  return name;
}
const limitNames = new WeakMap<number[], string>();

const entriesMax = 10_000;

export function createKnownCallers(parts: {
  record: Pick<RecordStore, 'onChange' | 'onRegained' | 'hears'>;
  clock: () => Date;
  settings: Pick<Settings, 'databaseWaitMs'>;
}): KnownCallers {
  const { record, clock, settings } = parts;
  const common = { clock, entriesMax, hears: record.hears, waitMs: settings.databaseWaitMs };
  const known: KnownCallers = {
    keys: new KnownAnswers({ ...common, ownerOf: (key) => tenantOf(key).tenant }),
    sessions: new KnownAnswers({
      ...common,
      ownerOf: ({ userId }) => accountName(userId),
      isDue: (session) => isSessionDue(session, clock()),
    }),
    collections: new KnownAnswers({ ...common, ownerOf: ({ tenant }) => tenant }),
    writable: new KnownAnswers({ ...common, ownerOf: ({ tenant }) => tenant }),
  };
  record.onChange((change) => forget(known, change));
  record.onRegained(() => forget(known, { kind: 'unheard', id: '' }));
  return known;
}

function forget(known: KnownCallers, { kind, id }: RecordChange): void {
  const { keys, sessions } = known;
  const number = Number(id);
  switch (kind) {
    case 'key':
      keys.drop((key) => key.keyId === number);
      dropCollections(known, ({ caller }) => caller === `key:${id}`);
      return;
    case 'session':
      sessions.drop((_, sessionId) => sessionId === id);
      return;
    case 'member':
      dropCollections(known, ({ caller }) => caller === `user:${id}`);
      return;
    case 'project':
      keys.drop((key) => key.projectId === number);
      dropCollections(known, ({ within }) => within === null || within.projectId === number);
      return;
    case 'workspace':
      keys.drop((key) => key.workspaceId === number);
      dropCollections(known, ({ within }) => within === null || within.workspaceId === number);
      return;
    case 'all':
      for (const answers of allOf(known)) answers.clear();
      return;
    case 'unheard':
      for (const answers of allOf(known)) answers.doubt();
  }
}

function allOf({ keys, sessions, collections, writable }: KnownCallers) {
  return [keys, sessions, collections, writable];
}

function dropCollections(
  { collections, writable }: KnownCallers,
  isConcerned: (known: Pick<KnownCollections, 'caller' | 'within'>) => boolean,
): void {
  collections.drop(isConcerned);
  writable.drop(isConcerned);
}
