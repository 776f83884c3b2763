import { AppError } from '#server/errors.ts';
import { bodyChunks, mediaType } from '#server/wire/body.ts';
import type { ImportResult } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { RestCall } from './adapter.ts';
import { isAsyncIterable } from './async-iterable.ts';
import { cutRows, UploadMeter } from './import-rows.ts';
import { ResultSpool } from './result-spool.ts';

/**
 * An upload of any size: rows go to the procedure as they arrive, results are spooled and sent at the end, when the status is known:
 * 200 all in, 207 some failed, 400 none in. When the connection is cut, what was reported to us is in, and nobody hears of it.
 */
export async function runImport(
  call: Pick<RestCall, 'request' | 'ctx'>,
  input: Record<string, unknown>,
  run: (input: unknown) => Promise<unknown>,
): Promise<Response> {
  const { request, ctx } = call;
  const meter = new UploadMeter();
  const format = mediaType(request.headers) === 'application/json' ? 'array' : 'lines';
  const chunks = bodyChunks(request, { silenceMs: limits.importSilenceMs });
  const results = await run({ ...input, rows: cutRows(chunks, format, meter) });
  if (!isAsyncIterable(results)) throw new AppError('INTERNAL', 'Something went wrong on our side');

  const spool = new ResultSpool();
  let succeeded = 0;
  let failed = 0;
  try {
    for await (const result of results as AsyncIterable<ImportResult>) {
      meter.rowSettled();
      if (result.success) succeeded++;
      else failed++;
      await spool.add(JSON.stringify(result));
    }
  } catch (error) {
    await spool.close();
    ctx.log.info('import stopped', { succeeded, failed, uploadBytes: meter.totalBytes, error });
    throw error;
  }
  const status = failed === 0 ? 200 : succeeded > 0 ? 207 : 400;
  ctx.log.info('import done', {
    succeeded,
    failed,
    uploadBytes: meter.totalBytes,
    bufferedBytesPeak: meter.peakBytes,
  });
  return new Response(spool.read(`{"succeeded":${succeeded},"failed":${failed},"results":[`, ']}'), {
    status,
    headers: { 'Content-Type': 'application/json' },
  });
}
