import type { Settings } from '#server/env.ts';
import { limits } from '#shared/limits.ts';
import { ByteShares, type Held } from './byte-shares.ts';
import { loopTurns } from './loop-turns.ts';
import type { Requester } from './requester.ts';

/**
 * What all requests together hold in memory: bodies from their arrival until they are answered, answers until their readers have them. And in
 * files, for as long: results of imports.
 */
export interface RequestMemory {
  readonly bodies: ByteShares;
  readonly answers: ByteShares;
  readonly spools: ByteShares;
}

const manyResults =
  'The results of imports take as much room as they may; send fewer rows at once, or try again in a moment';
/** Answers of full size for which there is always room. */
const largestAnswers = 4;

export function createRequestMemory({ answerBytesMax }: Pick<Settings, 'answerBytesMax'>): RequestMemory {
  return {
    bodies: new ByteShares(limits.bodiesBytesMax),
    answers: new ByteShares(Math.max(limits.answersBytesMax, largestAnswers * answerBytesMax)),
    spools: new ByteShares(limits.importSpoolsBytesMax, manyResults),
  };
}

/** How a caller's body is read: its bytes are counted, and a large one is worked on in turns. */
export function bodyReading({ body }: { body: Held }, requester: Requester) {
  return { hold: body.add, turn: () => loopTurns.next(requester) };
}
