/** Some of a task's texts have no vector, for reasons of their own: by row. The vectors of the others are as they should be. */
export class TextsRefusedError extends Error {
  readonly vectors: Float32Array;
  readonly faults: ReadonlyMap<number, string>;

  constructor(vectors: Float32Array, faults: ReadonlyMap<number, string>) {
    super(`${faults.size} texts were refused`);
    this.vectors = vectors;
    this.faults = faults;
  }
}
