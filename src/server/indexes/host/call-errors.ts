import type { SearchPart } from '#server/engine/types.ts';
import { IndexLostError } from './index-lost-error.ts';

/** A call has computed for as long as it may. */
export class SearchTimeoutError extends Error {
  /** What took most of the time; null: it is not known. */
  readonly part: SearchPart | null;
  readonly budgetMs: number;

  constructor(part: SearchPart | null, budgetMs: number) {
    super(`A call took more than ${budgetMs} ms of the engine`);
    this.name = 'SearchTimeoutError';
    this.part = part;
    this.budgetMs = budgetMs;
  }
}

/** A call has waited for as long as it may, because others were at work. */
export class EngineBusyError extends Error {
  constructor() {
    super('The engine had no time for a call');
    this.name = 'EngineBusyError';
  }
}

/** The collection has ended its thread more than once. */
export class QuarantinedError extends Error {
  constructor(collectionId: number) {
    super(`Collection ${collectionId} has ended its engine thread more than once`);
    this.name = 'QuarantinedError';
  }
}

/** The call was at work when its thread ended: asked again, it might end the next one too. */
export class ThreadEndedError extends IndexLostError {
  constructor(collectionId: number) {
    super(collectionId);
    this.message = `The engine's thread ended while it was at work for collection ${collectionId}`;
    this.name = 'ThreadEndedError';
  }
}
