import { fold } from '#server/engine/search-index.ts';
import { limits } from '#shared/limits.ts';

/** A query that stands for every document. */
export const everything = '*';

/** Controls, lone surrogates and what nobody sees count as spaces. */
const notShown = /[\p{C}\s]+/gu;
/** Folding makes some letters two or three. */
const readCharactersMax = 2 * limits.countedQueryCharactersMax;

/** The query as it is counted: folded, in one line, and of a long one its beginning. */
export function countedQuery(text: string): string {
  const folded = fold(text.slice(0, readCharactersMax)).replace(notShown, ' ').trim();
  if (folded === '') return everything;
  return folded
    .slice(0, limits.countedQueryCharactersMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** 48 bits of a text: of the thousand queries of a day no two share one. */
export function keyOfQuery(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= high >>> 16;
  return (high >>> 0) * 0x10000 + (low & 0xffff);
}
