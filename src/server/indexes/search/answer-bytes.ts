import { AnswerTooLargeError } from '#server/engine/search-index.ts';
import { AppError, causesOf } from '#server/errors.ts';

/** Counts the bytes of an answer while it is made. */
export class AnswerBytes {
  readonly #max: number;
  #counted = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get counted(): number {
    return this.#counted;
  }

  /** @throws AnswerTooLargeError */
  add(bytes: number): void {
    this.#counted += bytes;
    if (this.#counted > this.#max) throw new AnswerTooLargeError(this.#counted);
  }
}

/** `bytesMax`: of the request's whole answer; `countParameter`: by which its caller can ask for less. */
export function answerTooLarge(
  { bytesMax, countParameter }: { bytesMax: number; countParameter: string },
  cause: AnswerTooLargeError,
): AppError {
  const message = `the answer would have more than ${inUnits(bytesMax)}: ask for fewer with "${countParameter}", or for parts with "include_fields"`;
  return new AppError('UNPROCESSABLE', `${countParameter}: ${message}`, {
    details: [{ path: countParameter, message }],
    cause,
  });
}

/** Null: it failed for another reason. */
export function findTooLarge(error: unknown): AnswerTooLargeError | null {
  for (const cause of causesOf(error)) if (cause instanceof AnswerTooLargeError) return cause;
  return null;
}

/** The answer, whose failure to be small enough is told in the caller's terms. */
export async function withinBytes<Answer>(
  limit: { bytesMax: number; countParameter: string },
  answer: Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof AnswerTooLargeError ? answerTooLarge(limit, error) : error;
  }
}

/** As a caller is told: in whole megabytes where it is that. */
export function inUnits(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return Number.isInteger(megabytes) ? `${megabytes} MB` : `${bytes} bytes`;
}
