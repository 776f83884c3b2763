import type { Settings } from '#server/env.ts';
import type { Project } from '#shared/projects.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { call, createTenant, must, type SignedUp } from './callers.ts';
import type { DatabaseKind } from './databases.ts';
import { fakeClock } from './fake-clock.ts';
import { type Kit, startKit } from './kit.ts';

/** A collection of goods with a key that may write, over REST. */
export interface CuratedCollection {
  kit: Kit;
  owner: SignedUp;
  project: Project;
  /** What shows who calls. */
  headers: Record<string, string>;
  pass(ms: number): void;
  send<T>(method: string, path: string, body?: unknown): ReturnType<typeof call<T>>;
  /** What a search answers; `mode` is the path's. */
  search(given: Record<string, unknown>, mode?: string): Promise<SearchAnswer>;
  idsOf(given: Record<string, unknown>, mode?: string): Promise<string[]>;
}

const goods = [
  { id: 'tv', title: 'Flat tv', kind: 'screen', price: 300 },
  { id: 'television', title: 'Wooden television', kind: 'screen', price: 100 },
  { id: 'idiot-box', title: 'Small idiot box', kind: 'screen', price: 50 },
  { id: 'radio', title: 'Kitchen radio', kind: 'sound', price: 40 },
  { id: 'laptop', title: 'Light laptop', kind: 'screen', price: 900 },
];

/** `send` has paths below the collection's. */
export async function startCurated(
  database: DatabaseKind,
  settings: Partial<Settings> = {},
): Promise<CuratedCollection> {
  const { clock, pass } = fakeClock(new Date('2026-03-01T12:00:00Z'));
  const kit = await startKit({ database, clock, settings });
  const { key, owner, project } = await createTenant(kit, { name: 'goods', dimension: 384 });
  const send = <T>(method: string, path: string, body?: unknown) =>
    call<T>(kit, { method, path: `/api/collections/goods/${path}`, body, as: { key: key.key } });
  await must(send('POST', 'documents/import', goods));
  const search: CuratedCollection['search'] = (given, mode = 'search') => must(send('POST', mode, given));
  return {
    kit,
    owner,
    project,
    headers: { 'x-api-key': key.key },
    pass,
    send,
    search,
    idsOf: async (given, mode) => (await search(given, mode)).hits.map(({ id }) => id),
  };
}
