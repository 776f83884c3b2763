import { AppError } from '#server/errors.ts';
import type { CollectionModels } from '../models/collection-models.ts';

/**
 * Nothing was written, since another server has changed what the write was built on after that was read: documents, or the collection's model.
 * To a caller it is told once that was so too often.
 */
export class OutdatedError extends AppError {
  /** That the collection has now. */
  readonly model: string;

  constructor(model: string) {
    super('UNAVAILABLE', 'Others change the same documents again and again; try again in a moment', {
      retryAfterSeconds: 1,
    });
    this.model = model;
  }
}

const triesMax = 8;

/** Does it again with what is there now, a few times. @throws OutdatedError, what the attempt throws */
export async function untilCurrent<T>(
  models: Pick<CollectionModels, 'forDocuments' | 'learnMoved'>,
  collectionId: number,
  attempt: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries);
    } catch (error) {
      if (!(error instanceof OutdatedError) || tries === triesMax) throw error;
      const { recorded } = await models.forDocuments(collectionId);
      if (recorded !== error.model) models.learnMoved(collectionId, error.model);
    }
  }
}
