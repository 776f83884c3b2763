import { livePositionHeader } from '#shared/live.ts';

/**
 * Where the log of changes stood before the oldest answer was read that this page still shows: a stream that goes on from there misses nothing of
 * what has changed since.
 */
let position: string | null = null;

export function notePosition(answer: Response): void {
  position ??= answer.headers.get(livePositionHeader);
}

export function livePosition(): string | null {
  return position;
}

/** All changes up to here have been told. Null: whoever was signed in has gone. */
export function setLivePosition(reached: string | null): void {
  position = reached;
}
