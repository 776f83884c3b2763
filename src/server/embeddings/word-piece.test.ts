import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { WordPiece } from './word-piece.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('remembers words, not the texts in which it met them', () => {
  const pieces = new WordPiece('[UNK]\na');
  const before = heapBytes();
  for (let i = 0; i < 300; i += 1) {
    const word = `word${String(i).padStart(12, 'x')}`;
    const text = `${'a '.repeat(30_000)}${i}`;
    expect(pieces.words(`${word} ${text}`, 2)[0]?.text).toBe(word);
  }
  // The texts are 18 MB.
  expect(heapBytes() - before).toBeLessThan(4_000_000);
});
