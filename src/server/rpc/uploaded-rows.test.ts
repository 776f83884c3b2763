import { expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '#shared/limits.ts';
import { readUploaded } from './uploaded-rows.ts';

const kind = {
  called: 'synonyms',
  most: 1_000,
  schema: z.object({ id: z.string() }),
  toThing: (row: { id: string }) => row,
  keyOf: ({ id }: { id: string }) => id,
  idOf: ({ id }: { id: string }) => id,
};

/** As they come of a body that is in memory already: without a wait of their own. */
async function* rowsOf(texts: string[]) {
  for (const [index, text] of texts.entries()) yield { index, text };
}

test('others have their turns while an upload that has come already is read', async () => {
  const longest: number[] = [];
  let read = 0;
  const turn = async () => {
    longest.push(read);
    read = 0;
  };
  const hold = (characters: number) => {
    read += characters;
  };
  const texts = Array.from({ length: 200 }, (_, i) =>
    JSON.stringify({ id: `s${i}`, more: 'x'.repeat(8_000) }),
  );
  const { things } = await readUploaded(rowsOf(texts), kind, { hold, turn });
  expect(things).toHaveLength(200);
  expect(longest.length).toBeGreaterThan(50);
  expect(Math.max(...longest)).toBeLessThan(32_768);
});

test('a row that is longer than any good one is not parsed', async () => {
  const spaces = ' '.repeat(limits.uploadedRowCharactersMax);
  const texts = [`{"id":"a"${spaces}}`, '{"id":"b"}'];
  const reading = { hold: () => undefined, turn: () => Promise.resolve() };
  const { things, results } = await readUploaded(rowsOf(texts), kind, reading);
  expect(things).toEqual([{ id: 'b' }]);
  expect(results).toEqual([
    {
      index: 0,
      id: null,
      success: false,
      code: 'PAYLOAD_TOO_LARGE',
      error: 'A row of synonyms has at most 65536 characters',
    },
    { index: 1, id: 'b', success: true },
  ]);
});
