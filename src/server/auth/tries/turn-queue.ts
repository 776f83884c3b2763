import { AppError } from '#server/errors.ts';

/** Whose work it is: the one with more of it waits longer, and is refused first. */
interface Waiting {
  group: string;
  start: () => void;
  refuse: (error: AppError) => void;
}

/**
 * Runs at most `parallel` tasks at once and lets at most `waitingMax` wait. Each password hash costs megabytes and milliseconds, each letter
 * a connection, so a flood must not pile them up; nor may it shut out others. So groups take turns, and when there is no room the newest
 * of the group that has most waiting is told to come back.
 */
export function createTurnQueue(parallel: number, waitingMax: number) {
  let running = 0;
  /** In the order of their turns; none is empty. */
  const groups = new Map<string, Waiting[]>();
  let waitingCount = 0;

  function join(waiting: Waiting): void {
    const { group } = waiting;
    if (waitingCount >= waitingMax && !makeRoom(group)) {
      waiting.refuse(tooMany());
      return;
    }
    const queue = groups.get(group);
    if (queue) queue.push(waiting);
    else groups.set(group, [waiting]);
    waitingCount += 1;
  }

  /** Whether somebody left for a newcomer of this group. */
  function makeRoom(newcomer: string): boolean {
    const ownCount = groups.get(newcomer)?.length ?? 0;
    const [name, longest] = [...groups].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    if (longest.length <= ownCount + 1) return false;
    leave(name, longest.pop())?.refuse(tooMany());
    return true;
  }

  function next(): Waiting | undefined {
    const [turn] = groups;
    if (!turn) return undefined;
    const [name, queue] = turn;
    const first = leave(name, queue.shift());
    if (queue.length > 0) {
      groups.delete(name);
      groups.set(name, queue);
    }
    return first;
  }

  function leave(name: string, waiting: Waiting | undefined): Waiting | undefined {
    waitingCount -= 1;
    if (groups.get(name)?.length === 0) groups.delete(name);
    return waiting;
  }

  return async function run<T>(group: string, task: () => Promise<T>): Promise<T> {
    // The one who finishes hands its place over, so `running` stays as it is.
    if (running >= parallel) await new Promise<void>((start, refuse) => join({ group, start, refuse }));
    else running += 1;
    try {
      return await task();
    } finally {
      const following = next();
      if (following) following.start();
      else running -= 1;
    }
  };
}

function tooMany(): AppError {
  return new AppError('TOO_MANY_REQUESTS', 'Too many people are signing in; try again in a moment', {
    retryAfterSeconds: 1,
  });
}
