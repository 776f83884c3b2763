import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import type { Answer } from '#server/wire/answer.ts';
import { isAsyncIterable } from '#server/wire/is-async-iterable.ts';

const chunkCharacters = 64 * 1024;

/**
 * Documents' JSON texts as NDJSON, pulled at the reader's pace. The first document is awaited before the status is sent, so that a bad
 * filter is a 400; a later failure breaks the stream off, which a reader sees as an incomplete answer.
 */
export async function streamExport(ctx: Context, output: unknown): Promise<Answer> {
  if (!isAsyncIterable(output)) throw new AppError('INTERNAL', 'Something went wrong on our side');
  const texts = output[Symbol.asyncIterator]();
  let next = await texts.next();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        let lines = '';
        while (!next.done && lines.length < chunkCharacters) {
          lines += `${next.value}\n`;
          next = await texts.next();
        }
        if (lines !== '') controller.enqueue(encoder.encode(lines));
        if (next.done) controller.close();
      } catch (error) {
        ctx.log.error('export failed half-way', { error });
        controller.error(error);
      }
    },
    async cancel() {
      await texts.return?.();
    },
  });
  return { status: 200, headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' }, body };
}
