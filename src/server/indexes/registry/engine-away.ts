import { AppError } from '#server/errors.ts';

/** What keeps the indexes answers nobody just now, or has no part that could. */
export class EngineAway extends AppError {
  /** Whether only this collection's index is not there, which is being made. */
  readonly isBeingMade: boolean;

  constructor(cause: unknown, { isBeingMade = false }: { isBeingMade?: boolean } = {}) {
    super('UNAVAILABLE', 'The search cluster is not available; try again in a moment', {
      cause,
      retryAfterSeconds: 5,
    });
    this.name = 'EngineAway';
    this.isBeingMade = isBeingMade;
  }
}
