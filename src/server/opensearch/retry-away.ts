import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#server/errors.ts';

const pauseMs = 250;

/** Again while the cluster is away or has too much to do: what was copied so far need not be copied again for a moment's silence. @throws as the last attempt */
export async function retryAway<T>(attempt: () => Promise<T>, patienceMs: number): Promise<T> {
  for (const end = performance.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'UNAVAILABLE';
      if (!isAway || performance.now() > end) throw error;
    }
  }
}
