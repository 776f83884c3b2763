import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '#server/log.ts';
import { createEmbedder } from './create-embedder.ts';
import { DocumentEmbedder } from './document-embedder.ts';
import type { Embedder } from './embedder.ts';
import { StaticEmbedder } from './static-embedder.ts';
import { loadStaticTable } from './static-table.ts';

const log = createLog('silent');
const texts = Array.from({ length: 100 }, (_, i) => ({
  title: i % 3 === 0 ? '' : `Title number ${i}`,
  text: `Some text about subject ${i % 7}, naïve and ${'long '.repeat(i)}`,
}));
const requester = { tenant: 't', caller: 'c' };
const large = { texts, dimension: 768, for: requester };

/** Threads of this process that make way for others. A thread's niceness is, in `proc(5)`, the 19th field of its `stat`. */
async function niceThreads(): Promise<string[]> {
  const threads = await readdir('/proc/self/task');
  // A thread that ends meanwhile has no file any more.
  const read = (id: string) => readFile(`/proc/self/task/${id}/stat`, 'latin1').catch(() => '');
  const found = threads.map(async (id) => ({ id, stat: await read(id) }));
  const isNice = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) >= 10;
  return (await Promise.all(found)).filter(({ stat }) => isNice(stat)).map(({ id }) => id);
}

describe('createEmbedder', () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await createEmbedder({ modelsDir: 'models', log });
  });
  afterAll(() => embedder.stop());

  it.each([64, 384, 768])(
    'gives documents the vectors that this thread would, in %d dimensions',
    async (dimension) => {
      const here = new StaticEmbedder(await loadStaticTable('models/static-embeddings'));
      for (const isRotated of [false, true]) {
        const expected = new Float32Array(texts.length * dimension);
        texts.forEach((text, row) => {
          here.embedDocument(text, expected.subarray(row * dimension, (row + 1) * dimension), isRotated);
        });
        const task = { texts, dimension, isRotated, for: requester };
        expect(await embedder.embedDocuments(task)).toEqual(expected);
        const tier = isRotated ? 'static-rotated' : 'static';
        const query = here.embedQuery('some text', dimension, isRotated);
        expect(await embedder.embedQuery('some text', dimension, tier)).toEqual(query);
        expect(await (await embedder.readQuery('some text')).toVector(dimension, tier)).toEqual(query);
      }
    },
  );

  it('gives each of many jobs at once its own vectors', async () => {
    const all = await Promise.all(
      texts.map((text) => embedder.embedDocuments({ texts: [text], dimension: 384, for: requester })),
    );
    const together = await embedder.embedDocuments({ texts, dimension: 384, for: requester });
    expect(Float32Array.from(all.flatMap((vector) => [...vector]))).toEqual(together);
    expect(await embedder.embedDocuments({ texts: [], dimension: 384, for: requester })).toHaveLength(0);
  });

  it('gives up a job when its caller does, and works on', async () => {
    const controller = new AbortController();
    const job = embedder.embedDocuments(large, controller.signal);
    controller.abort(new Error('gone'));
    await expect(job).rejects.toThrow('gone');
    await expect(embedder.embedDocuments(large, controller.signal)).rejects.toThrow('gone');
    expect(
      await embedder.embedDocuments({ ...large, texts: texts.slice(0, 2), dimension: 384 }),
    ).toHaveLength(768);
  });

  it('refuses what is waiting, and all that comes, when it is stopped', async () => {
    const own = await createEmbedder({ modelsDir: 'models', log });
    const refused = expect(own.embedDocuments(large)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await own.stop();
    await refused;
    await expect(own.embedDocuments(large)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

it("answers a query before another tenant's documents, and a document before the rest of an import", async () => {
  const embedder = await createEmbedder({ modelsDir: 'models', log });
  try {
    const huge = Array.from({ length: 200 }, () => ({ title: '', text: 'many words '.repeat(3_000) }));
    let isImported = false;
    const imported = embedder.embedDocuments({ ...large, texts: huge }).then(() => {
      isImported = true;
    });
    await embedder.embedQuery('some text', 384);
    const one = { ...large, texts: texts.slice(0, 1), for: { tenant: 'other', caller: 'c' } };
    await embedder.embedDocuments(one);
    expect(isImported).toBe(false);
    await imported;
  } finally {
    await embedder.stop();
  }
});

it('waits for a turn as long as it is told', async () => {
  const hasty = await createEmbedder({ modelsDir: 'models', log, waitMsMax: 1 });
  try {
    const asked = Array.from({ length: 3 }, () =>
      hasty.embedDocuments({ ...large, texts: texts.slice(0, 1) }),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  } finally {
    await hasty.stop();
  }
});

it.runIf(process.platform === 'linux')('leaves a core that searches want to them', async () => {
  const before = new Set(await niceThreads());
  const embedder = await createEmbedder({ modelsDir: 'models', log });
  try {
    await embedder.embedDocuments(large);
    expect((await niceThreads()).filter((id) => !before.has(id))).not.toEqual([]);
  } finally {
    await embedder.stop();
  }
});

it('gives up what has no turn for too long, and says when to come again', async () => {
  const table = await loadStaticTable('models/static-embeddings');
  const slow = new DocumentEmbedder(table, log, { waitMsMax: 1 });
  try {
    // The thread has two slices at hand; it starts in more than a millisecond.
    const taken = [0, 1].map(() => slow.embed({ ...large, texts: texts.slice(0, 1) }));
    await expect(slow.embed({ ...large, texts: texts.slice(0, 1) })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    expect((await Promise.all(taken)).map((vectors) => vectors.length)).toEqual([768, 768]);
  } finally {
    await slow.stop();
  }
});

it('starts a dead thread again once, then refuses, and keeps answering', async () => {
  const table = await loadStaticTable('models/static-embeddings');
  const lines: string[] = [];
  const broken = new DocumentEmbedder(
    { ...table, tokens: undefined as unknown as string },
    createLog('error', (line) => lines.push(line)),
  );
  for (let round = 0; round < 2; round++) {
    await expect(broken.embed(large)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }
  await broken.stop();
  expect(lines.filter((line) => line.includes('started again')).length).toBeGreaterThanOrEqual(2);
});

it('does not start on a table that was changed by a byte', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-models-'));
  try {
    await cp('models', folder, { recursive: true });
    await writeFile(path.join(folder, 'static-embeddings/scales.f32'), 'x');
    await expect(createEmbedder({ modelsDir: folder, log })).rejects.toThrow(/scales\.f32 is damaged/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
