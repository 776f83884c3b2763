import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import type { Answer } from '#server/wire/answer.ts';
import { isAsyncIterable } from '#server/wire/is-async-iterable.ts';
import { errorTable } from '#shared/errors.ts';

/**
 * Lines of JSON (UTF-8) as NDJSON, pulled at the reader's pace. The first are awaited before the status is sent, so that a bad filter is a
 * 400; a later failure breaks the stream off, which a reader sees as an incomplete answer.
 */
export async function streamExport(ctx: Context, output: unknown): Promise<Answer> {
  if (!isAsyncIterable<Uint8Array>(output))
    throw new AppError('INTERNAL', 'Something went wrong on our side');
  const pieces = output[Symbol.asyncIterator]();
  let next = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (next.done) return controller.close();
        controller.enqueue(next.value);
        next = await pieces.next();
      } catch (error) {
        const level = error instanceof AppError ? errorTable[error.code].level : 'error';
        ctx.log[level]('export failed half-way', { error });
        controller.error(error);
      }
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  return { status: 200, headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' }, body };
}
