import { expect, test } from 'vitest';
import { TextsRefusedError } from '#server/embeddings/texts-refused-error.ts';
import { createLog } from '#server/log.ts';
import type { WritableCollection } from '../indexes.ts';
import { embedRows } from './embed-rows.ts';
import { assertFewRefused } from './move-statements.ts';

const collection: WritableCollection = {
  id: 1,
  for: { tenant: 'workspace 1', caller: 'user 1' },
  dimension: 2,
  metric: 'cosine',
  rulesVersion: 0,
  metadata: null,
};
const found = [
  {
    id: 'a',
    version: 1,
    source: JSON.stringify({ id: 'a', text: 'Sailors below the frozen sea' }),
    modelId: null,
    vectors: new Float32Array(0),
    spans: new Int32Array(0),
  },
];

test.each([
  ['onnx:minilm', 'the embedding model'],
  ['openai:small', 'the embedding service'],
])('what %s refuses is told of %s, in the log and to whom a move to it is refused', async (id, called) => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const embedDocuments = () =>
    Promise.reject(new TextsRefusedError(new Float32Array(2), new Map([[0, 'it is too long']])));
  const signal = new AbortController().signal;
  await embedRows({ model: { id, embedDocuments }, log }, collection, { found, signal });
  expect(lines.join()).toContain(`${called} gives some documents no vector`);
  const sql = { unsafe: async () => [{ all: 100, refused: 50 }] } as unknown as Parameters<
    typeof assertFewRefused
  >[0];
  await expect(assertFewRefused(sql, { collectionId: 1, model: id })).rejects.toThrow(
    `The collection is not moved: ${called} refuses 50 of 100 documents`,
  );
});
