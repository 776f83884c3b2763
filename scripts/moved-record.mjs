/** Documents of one machine with the embedded engine, moved to a Postgres server and a cluster as `docs/scaling.md` says. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { freshKey } from './films.mjs';
import { at } from './freshness.mjs';
import { startServer } from './load-tools.mjs';
import { manyPapers } from './papers.mjs';

const bodyBytes = 2 * 1024 * 1024;

/**
 * @param folder where the one machine keeps its data
 * @param to `{postgres, nodeUrls}`
 * @returns a key to the collection, the ids in it, and how long it took to import and to move them
 */
export async function moveFromEmbedded(folder, { documents, collection, secret, to }) {
  const dataDir = path.join(folder, 'embedded');
  const server = await startServer({ DATA_DIR: dataDir, APP_SECRET: secret });
  const startedAt = performance.now();
  let loaded;
  try {
    const key = await freshKey(server.url, { collections: [collection], dimension: 384 });
    loaded = { key, ids: await load(server.url, { key, collection, documents }) };
  } finally {
    await server.stop();
  }
  const importMs = Math.round(performance.now() - startedAt);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    APP_SECRET: secret,
    DATABASE_URL: to.postgres.url,
    OPENSEARCH_URL: to.nodeUrls.join(','),
  };
  await promisify(execFile)(process.execPath, [at('scripts/migrate.mjs'), '--to', 'opensearch'], { env });
  return { ...loaded, importMs, moveMs: Math.round(performance.now() - startedAt) - importMs };
}

async function load(url, { key, collection, documents }) {
  const ids = [];
  let body = '';
  const send = async () => {
    const answer = await fetch(`${url}/api/collections/${collection}/documents/import`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      body,
    });
    const text = await answer.text();
    if (!answer.ok || JSON.parse(text).failed > 0)
      throw new Error(`import: ${answer.status} ${text.slice(0, 500)}`);
    body = '';
  };
  for await (const { id, title, text } of manyPapers(documents)) {
    ids.push(id);
    body += `${JSON.stringify({ id, title, text })}\n`;
    if (body.length >= bodyBytes) await send();
  }
  if (body !== '') await send();
  return ids;
}
