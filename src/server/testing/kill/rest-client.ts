import type { DocumentPage, ImportSummary } from '#shared/documents.ts';
import type { SearchAnswer, SearchMode } from '#shared/search.ts';
import type { Doc } from './ledger.ts';

/** The connection broke before the answer, or the answer was that the database is away: what was asked may or may not have happened. */
export class NoAnswer extends Error {}

const paths: Record<SearchMode, string> = {
  keyword: 'search',
  vector: 'vector-search',
  hybrid: 'hybrid-search',
};

/** The REST calls of the kill test, as any caller makes them. */
export interface RestClient {
  import(collection: string, docs: object[], key?: string): Promise<ImportSummary>;
  create(collection: string, doc: Doc): Promise<void>;
  merge(collection: string, id: string, change: Record<string, string | number>): Promise<void>;
  remove(collection: string, id: string): Promise<void>;
  removeWhere(collection: string, filter: string): Promise<number>;
  mergeWhere(collection: string, filter: string, change: object): Promise<number>;
  export(collection: string): Promise<Doc[]>;
  list(collection: string): Promise<DocumentPage>;
  documentCount(collection: string): Promise<number>;
  search(collection: string, mode: SearchMode, query: string): Promise<SearchAnswer>;
}

export function createRestClient(url: string, key: string): RestClient {
  const call = async (method: string, path: string, body?: string, more: Record<string, string> = {}) => {
    const type = { 'Content-Type': 'application/json', ...more };
    const response = await request(`${url}/api/collections/${path}`, {
      method,
      headers: { 'X-API-Key': key, ...(body !== undefined && type) },
      ...(body !== undefined && { body }),
    });
    if (response.status === 503 && response.isToBeTriedAgain) throw new NoAnswer(response.text);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.text;
  };
  return {
    import: async (collection, docs, importKey) =>
      JSON.parse(
        await call(
          'POST',
          `${collection}/documents/import`,
          docs.map((doc) => JSON.stringify(doc)).join('\n'),
          { 'Content-Type': 'application/x-ndjson', ...(importKey && { 'Idempotency-Key': importKey }) },
        ),
      ),
    create: async (collection, doc) => {
      await call('POST', `${collection}/documents?action=create`, JSON.stringify(doc));
    },
    merge: async (collection, id, change) => {
      await call('PATCH', `${collection}/documents/${id}`, JSON.stringify(change));
    },
    remove: async (collection, id) => {
      await call('DELETE', `${collection}/documents/${id}`);
    },
    removeWhere: async (collection, filter) => {
      const path = `${collection}/documents?filter_by=${encodeURIComponent(filter)}`;
      return JSON.parse(await call('DELETE', path)).deleted;
    },
    mergeWhere: async (collection, filter, change) => {
      const path = `${collection}/documents?filter_by=${encodeURIComponent(filter)}`;
      return JSON.parse(await call('PATCH', path, JSON.stringify(change))).updated;
    },
    export: async (collection) => {
      const text = await call('GET', `${collection}/documents/export`);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    list: async (collection) => JSON.parse(await call('GET', `${collection}/documents?per_page=1`)),
    documentCount: async (collection) => JSON.parse(await call('GET', collection)).documentCount,
    search: async (collection, mode, query) =>
      JSON.parse(
        await call('POST', `${collection}/${paths[mode]}`, JSON.stringify({ query, per_page: 10, k: 50 })),
      ),
  };
}

async function request(
  url: string,
  init: RequestInit,
): Promise<{ ok: boolean; status: number; text: string; isToBeTriedAgain: boolean }> {
  try {
    const response = await fetch(url, init);
    return {
      ok: response.ok,
      status: response.status,
      text: await response.text(),
      isToBeTriedAgain: response.headers.has('retry-after'),
    };
  } catch (error) {
    throw new NoAnswer(url, { cause: error });
  }
}

/** Signs up, makes these collections and a key for them; answers the key. */
export async function setUpAccount(url: string, collections: string[]): Promise<string> {
  let cookie = '';
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url, ...(cookie && { Cookie: cookie }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    cookie ||= response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return JSON.parse(text);
  };
  const password = 'a long enough pass-phrase';
  await post('/auth/register', {
    email: 'kill@example.org',
    username: 'kill',
    password,
    confirmPassword: password,
  });
  const workspace = await post('/workspaces', { name: 'Kill' });
  const { id: projectId } = await post('/projects', { name: 'Kill', workspaceId: workspace.id });
  for (const name of collections) await post('/collections', { name, dimension: 384, projectId });
  return (await post('/api-keys', { name: 'Kill', projectId })).key;
}
