/** Collections that are remembered as too large. */
export const tooLargeMax = 10_000;

/** It does not fit, however many others leave. */
export class IndexTooLargeError extends Error {
  readonly bytes: number;
  readonly bytesMax: number;

  /** @param bytes what it takes, about */
  constructor(bytes: number, bytesMax: number) {
    super(`An index takes ${bytes} bytes of memory, more than the ${bytesMax} that all may have`);
    this.name = 'IndexTooLargeError';
    this.bytes = bytes;
    this.bytesMax = bytesMax;
  }
}

/** It fits, but others had the room for as long as it could wait. */
export class NoMemoryLeftError extends Error {
  constructor() {
    super('The memory for indexes is in use by others');
    this.name = 'NoMemoryLeftError';
  }
}
