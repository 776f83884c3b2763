import { RestError } from '#client/lib/rest-error.ts';
import type { User } from '#shared/accounts.ts';
import { limits } from '#shared/limits.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { slugOf } from '#shared/slug.ts';
import { readmeOf } from './export-readme.ts';
import type { Client, Owned, OwnedCollection } from './owned.ts';

/** A file of the archive. */
interface ArchiveFile {
  name: string;
  input: string | ReadableStream<Uint8Array>;
}

interface Exporting {
  client: Client;
  user: User;
  owned: Owned;
  signal: AbortSignal;
  /** Told with the bytes of each piece of documents. */
  onBytes: (bytes: number) => void;
  /** Told when a collection begins. */
  onCollection: (name: string) => void;
}

/** What the account owns, one file after the other, as the API takes it again. @throws RestError, or what a call failed with */
export async function* exportFiles(exporting: Exporting): AsyncGenerator<ArchiveFile> {
  const { client, user, owned, signal, onCollection } = exporting;
  yield { name: 'README.txt', input: readmeOf(location.origin) };
  yield { name: 'account.json', input: toJson(user) };
  yield { name: 'conversations.ndjson', input: toLines(await allConversations(client, signal)) };
  for (const workspace of owned.workspaces)
    yield { name: `${folderOf(workspace)}/workspace.json`, input: toJson(workspace) };
  for (const { workspace, project } of owned.projects) {
    const folder = `${folderOf(workspace)}/${folderOf(project)}`;
    yield { name: `${folder}/project.json`, input: toJson(project) };
    const aliases = await client.aliases.list.query({ projectId: project.id }, { signal });
    if (aliases.length > 0) yield { name: `${folder}/aliases.json`, input: toJson(aliases) };
  }
  for (const one of owned.collections) {
    onCollection(one.collection.name);
    yield* collectionFiles(exporting, one);
  }
}

async function* collectionFiles(
  { client, signal, onBytes }: Exporting,
  { workspace, project, collection }: OwnedCollection,
): AsyncGenerator<ArchiveFile> {
  const folder = `${folderOf(workspace)}/${folderOf(project)}/${folderOf(collection)}`;
  const { name, description, isActive, dimension, metric, metadata } = collection;
  const body = { name, description, isActive, dimension, metric, ...(metadata && { metadata }) };
  yield { name: `${folder}/collection.json`, input: toJson(body) };
  yield {
    name: `${folder}/documents.ndjson`,
    input: await openDocuments(collection.id, { signal, onBytes }),
  };
  const of = { collection: collection.id };
  const settings = await client.searchSettings.get.query(of, { signal });
  yield { name: `${folder}/settings.json`, input: toJson(settings) };
  const synonyms = await allPages(
    async (page) => (await client.synonyms.list.query({ ...of, ...page }, { signal })).synonyms,
  );
  if (synonyms.length > 0) yield { name: `${folder}/synonyms.ndjson`, input: toLines(synonyms) };
  const overrides = await allPages(
    async (page) => (await client.overrides.list.query({ ...of, ...page }, { signal })).overrides,
  );
  if (overrides.length > 0) yield { name: `${folder}/overrides.ndjson`, input: toLines(overrides) };
  const presets = await allPages(
    async (page) => (await client.presets.list.query({ ...of, ...page }, { signal })).presets,
  );
  if (presets.length > 0) yield { name: `${folder}/presets.ndjson`, input: toLines(presets) };
  const judgements = await allPages(
    async (page) => (await client.judgements.list.query({ ...of, ...page }, { signal })).judgements,
  );
  // When each was given, and by whom, is the record's to say.
  const given = judgements.map(({ judgedAt: _, judgedBy: __, ...judgement }) => judgement);
  if (given.length > 0) yield { name: `${folder}/judgements.ndjson`, input: toLines(given) };
}

/** As the server sends them, so that however many there are none is held here. */
async function openDocuments(
  collection: number,
  { signal, onBytes }: Pick<Exporting, 'signal' | 'onBytes'>,
): Promise<ReadableStream<Uint8Array>> {
  const { path } = restCall('GET /api/collections/{name}/documents/export', { name: collection });
  const answer = await fetch(path, { credentials: 'include', signal });
  if (!answer.ok || !answer.body) throw new RestError(answer.status, answer.statusText, await answer.text());
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      onBytes(piece.byteLength);
      controller.enqueue(piece);
    },
  });
  return answer.body.pipeThrough(counted);
}

/** With their messages. */
async function allConversations(client: Client, signal: AbortSignal): Promise<unknown[]> {
  const conversations = await client.conversations.list.query({}, { signal });
  const whole: unknown[] = [];
  for (const { id } of conversations) {
    const messages = await allPages(
      async (page) => (await client.conversations.get.query({ id, ...page }, { signal })).messages,
    );
    whole.push({ ...conversations.find((one) => one.id === id), messages });
  }
  return whole;
}

async function allPages<Row>(
  ask: (page: { page: number; per_page: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  const perPage = limits.perPageMax;
  for (let page = 1; ; page += 1) {
    const rows = await ask({ page, per_page: perPage });
    all.push(...rows);
    if (rows.length < perPage) return all;
  }
}

/** Names may be in any script, and alike but for what folders leave out. */
function folderOf({ id, name }: { id: number; name: string }): string {
  return [slugOf(name).slice(0, 60), id].filter((part) => part !== '').join('-');
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toLines(values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
