/**
 * How much of a snapshot is written again after a few more documents: papers of `arxiv-100k` with vectors in an index, saved, then more of them, and saved
 * again. Bytes and files are counted; nothing is timed.
 *
 *   DATASETS_DIR=… node scripts/measure-snapshot-reuse.mjs [--documents 20000] [--more 1000] [--dimension 384]
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '20000' },
    more: { type: 'string', default: '1000' },
    dimension: { type: 'string', default: '384' },
  },
});
const [documents, more, dimension] = [values.documents, values.more, values.dimension].map(Number);
const batchDocuments = 500;
const { SearchIndex, encodeSnapshot, runSteps, SnapshotFiles } = await loadSources(`
  export { SearchIndex } from './src/server/engine/search-index.ts';
  export { encodeSnapshot } from './src/server/engine/snapshot.ts';
  export { runSteps } from './src/server/engine/steps.ts';
  export { SnapshotFiles } from './src/server/indexes/registry/snapshot-files.ts';
`);
const owner = { collectionId: 1, createdAtMicros: '1' };
const index = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
const folder = await mkdtemp(path.join(tmpdir(), 'vectora-reuse-'));
try {
  const files = new SnapshotFiles(folder);
  let puts = [];
  let count = 0;
  for await (const paper of papers()) {
    puts.push(putOf(paper));
    count += 1;
    if (puts.length < batchDocuments && count !== documents && count !== documents + more) continue;
    index.apply({ version: count, puts, deletes: [] });
    puts = [];
    if (count !== documents && count !== documents + more) continue;
    await save(files);
    if (count > documents) break;
  }
} finally {
  await rm(folder, { recursive: true });
}

async function* papers() {
  const file = path.join(process.env.DATASETS_DIR ?? '', 'arxiv-100k', 'corpus.jsonl.gz');
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  for await (const line of lines) yield JSON.parse(line);
}

function putOf({ _id: id, ...fields }) {
  const vectors = Float32Array.from({ length: dimension }, () => Math.random() - 0.5);
  return { id, source: JSON.stringify({ id, ...fields }), vectors, spans: Int32Array.of(-1, 0, 0) };
}

async function save(files) {
  const before = new Set(await chunks());
  const snapshot = runSteps(encodeSnapshot(index));
  await files.write(owner, snapshot);
  const written = (await chunks()).filter((name) => !before.has(name));
  const sizes = await Promise.all(
    written.map(async (name) => (await stat(path.join(chunkFolder(), name))).size),
  );
  const all = sum([...snapshot.values()].map(({ length }) => length));
  const { documentCount } = index.stats();
  console.log(
    `${documentCount} documents: ${mb(all)} MB in ${snapshot.size} pieces, of which ${mb(sum(sizes))} MB in ${written.length} files were written`,
  );
}

function chunkFolder() {
  return path.join(folder, `${owner.collectionId}-${owner.createdAtMicros}.chunks`);
}

async function chunks() {
  return readdir(chunkFolder()).catch(() => []);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1);
}
