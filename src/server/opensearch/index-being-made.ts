import { EngineAway } from '#server/indexes/registry/engine-away.ts';

/** What there is of an index cannot be searched here, and one that can be is under way: meanwhile the record answers. */
export class IndexBeingMade extends EngineAway {
  constructor() {
    super(new Error('the index cannot be searched as it is, and is made anew'), { isBeingMade: true });
    this.name = 'IndexBeingMade';
  }
}

/** What is written meanwhile stays noted, and is in the index once it is made. */
export function unlessBeingMade(error: unknown): null {
  if (error instanceof IndexBeingMade) return null;
  throw error;
}
