import { hash } from 'node:crypto';
import { fold } from '#server/engine/search-index.ts';
import { limits } from '#shared/limits.ts';

/** A query that stands for every document. */
const everything = '*';

/** Controls, lone surrogates and what nobody sees count as spaces. */
const notShown = /[\p{C}\s]+/gu;
/** What most queries are: nothing in it but its case has to be changed. */
const plain = /^[!-~]+(?: [!-~]+)*$/;
/** Folding makes some letters two or three. */
const readCharactersMax = 2 * limits.countedQueryCharactersMax;

/** The query as it is counted: folded, in one line, and of a long one its beginning. */
export function countedQuery(text: string): string {
  if (text.length <= limits.countedQueryCharactersMax && plain.test(text)) return text.toLowerCase();
  const folded = fold(text.slice(0, readCharactersMax)).replace(notShown, ' ').trim();
  if (folded === '') return everything;
  return folded
    .slice(0, limits.countedQueryCharactersMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** In hexadecimal. */
const keyCharacters = 12;

/** 48 bits of a text's hash: nobody finds a text that shares them with another one. */
export function keyOfText(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, keyCharacters), 16);
}
