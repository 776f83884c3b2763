import { ThreadEndedError } from '../host/call-errors.ts';
import { IndexLostError } from '../host/index-lost-error.ts';

/** Once more when an index was lost on the way; the second time it is an error. */
export async function retryLost<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    // What was at work when its thread ended might end the next one too.
    if (!(error instanceof IndexLostError) || error instanceof ThreadEndedError) throw error;
    return attempt();
  }
}
