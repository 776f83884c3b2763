/** The index a call speaks of is not in this host: it was never opened here, or was lost with the thread that held it. */
export class IndexLostError extends Error {
  constructor(collectionId: number) {
    super(`The index of collection ${collectionId} is not open in this host`);
    this.name = 'IndexLostError';
  }
}
