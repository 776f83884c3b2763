import { toRecordError } from '#server/db/record-error.ts';
import type { Log } from '#server/log.ts';
import { NoMemoryLeftError } from './memory-errors.ts';
import type { Wait } from './memory-hold.ts';
import type { OpenIndex } from './open-index.ts';
import { OtherLanguageError } from './restore-index.ts';

/**
 * Brings an index that is behind up to the record; refused: it has to be opened anew. With the database away an index that has every answered write
 * still answers reads: what is missing was never answered. Changes fail at their own statement then.
 * @throws NoMemoryLeftError, the signal's reason; AppError UNAVAILABLE with the database away, when the index may lack an answered write
 */
export async function compareIndex(
  index: OpenIndex,
  wait: Wait,
  log: Log,
): Promise<'compared' | 'record away' | 'refused'> {
  const collectionId = index.collection.id;
  try {
    await index.catchUp(wait);
    return 'compared';
  } catch (error) {
    // It is compared again for whoever asks next.
    if (error instanceof NoMemoryLeftError || wait.signal?.aborted) throw error;
    const away = toRecordError(error);
    if (away) {
      log.warn('an index could not be compared with the record', { collectionId, error });
      if (!index.answerUncompared()) throw away;
      return 'record away';
    }
    if (error instanceof OtherLanguageError)
      log.info('an index is made anew in another language', { collectionId });
    else log.warn('an index is opened anew', { collectionId, error });
    return 'refused';
  }
}
