import { expect, it } from 'vitest';
import { ExcessShare } from './excess-share.ts';

/** So many a second, evenly, for so long: whether it is much beside what is done. */
function after(
  seconds: number,
  { refused, done }: { refused: number; done: number },
  share = new ExcessShare(),
) {
  const times = (perSecond: number) =>
    Array.from({ length: perSecond * seconds }, (_, i) => (i * 1_000) / perSecond);
  const all = [
    ...times(refused).map((at) => ({ at, note: () => share.noteRefused(at) })),
    ...times(done).map((at) => ({ at, note: () => share.noteDone(at) })),
  ].sort((a, b) => a.at - b.at);
  for (const { note } of all) note();
  return share.isHigh(seconds * 1_000);
}

it.each([
  ['a flood whose refusals are held back', { refused: 300, done: 400 }, true],
  ['nothing done at all', { refused: 20, done: 0 }, true],
  ['thirty clients that come back after a second', { refused: 10, done: 400 }, false],
  ['nothing refused', { refused: 0, done: 400 }, false],
])('%s', (_, rates, isHigh) => {
  expect(after(3, rates)).toBe(isHigh);
});

it('is told at once by a hundred refusals', () => {
  const share = new ExcessShare();
  for (let i = 0; i < 99; i += 1) share.noteRefused(i);
  expect(share.isHigh(100)).toBe(false);
  share.noteRefused(101);
  expect(share.isHigh(102)).toBe(true);
});

it('is forgotten half a second after it', () => {
  const share = new ExcessShare();
  expect(after(3, { refused: 300, done: 400 }, share)).toBe(true);
  expect(share.isHigh(3_200)).toBe(true);
  expect(share.isHigh(3_600)).toBe(false);
});
