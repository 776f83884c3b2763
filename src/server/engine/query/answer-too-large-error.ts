/** An answer would have more bytes than were asked for. */
export class AnswerTooLargeError extends Error {
  /** What it would have at least. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(`The answer has at least ${bytes} bytes`);
    this.name = 'AnswerTooLargeError';
    this.bytes = bytes;
  }
}

/** Asked while what belongs into an answer is made. @throws AnswerTooLargeError */
export function assertRoom(bytes: number, { answerBytesMax }: { answerBytesMax?: number }): void {
  if (answerBytesMax !== undefined && bytes > answerBytesMax) throw new AnswerTooLargeError(bytes);
}
