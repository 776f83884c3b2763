import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import { isAsyncIterable } from './async-iterable.ts';

const chunkCharacters = 64 * 1024;

/**
 * Documents' JSON texts as NDJSON, pulled at the reader's pace. The first document is awaited before the status goes out, so that a bad
 * filter is still a 400; a failure later can only cut the stream, which a reader sees as an incomplete answer.
 */
export async function streamExport(ctx: Context, output: unknown): Promise<Response> {
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
  return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' } });
}
