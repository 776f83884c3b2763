import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import type { Answer } from '#server/wire/answer.ts';
import { isAsyncIterable } from '#server/wire/is-async-iterable.ts';
import { errorTable } from '#shared/errors.ts';

const chunkBytesMin = 64 * 1024;
const newline = Buffer.from('\n');

/**
 * Documents' JSON texts (UTF-8) as NDJSON, pulled at the reader's pace. The first document is awaited before the status is sent, so that a bad
 * filter is a 400; a later failure breaks the stream off, which a reader sees as an incomplete answer.
 */
export async function streamExport(ctx: Context, output: unknown): Promise<Answer> {
  if (!isAsyncIterable<Uint8Array>(output))
    throw new AppError('INTERNAL', 'Something went wrong on our side');
  const texts = output[Symbol.asyncIterator]();
  let next = await texts.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const lines: Uint8Array[] = [];
        for (let bytes = 0; !next.done && bytes < chunkBytesMin; next = await texts.next()) {
          lines.push(next.value, newline);
          bytes += next.value.byteLength + 1;
        }
        if (lines.length > 0) controller.enqueue(Buffer.concat(lines));
        if (next.done) controller.close();
      } catch (error) {
        const level = error instanceof AppError ? errorTable[error.code].level : 'error';
        ctx.log[level]('export failed half-way', { error });
        controller.error(error);
      }
    },
    async cancel() {
      await texts.return?.();
    },
  });
  return { status: 200, headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' }, body };
}
