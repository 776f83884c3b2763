import { limits } from '#shared/limits.ts';
import { parseJson } from './json.ts';
import { JsonReader } from './json-reader.ts';
import { resultOf } from './reader-result.ts';

const pieceCharacters = 64 * 1024;

/**
 * The same as `parseJson`, but that a long text is worked on piece by piece, each in a turn of its own.
 * @throws AppError BAD_REQUEST
 */
export async function parseInTurns(text: string, turn: () => Promise<void>): Promise<unknown> {
  if (text.length <= pieceCharacters) return parseJson(text);
  const reader = new JsonReader(limits.jsonValuesMax);
  for (let at = 0; at < text.length && reader.fault === null; at += pieceCharacters) {
    await turn();
    reader.push(text.slice(at, at + pieceCharacters));
  }
  return resultOf(reader);
}
