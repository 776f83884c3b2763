import { AppError } from '#server/errors.ts';
import { callProcedure } from '#server/rpc/call-procedure.ts';
import { type Answer, retryAfter } from '#server/wire/answer.ts';
import { bodyChunks, checkBodyHeaders, mediaType } from '#server/wire/body.ts';
import { isAsyncIterable } from '#server/wire/is-async-iterable.ts';
import type { ImportResult } from '#shared/documents.ts';
import { readParameters } from '../input.ts';
import type { RestCall } from '../rest-call.ts';
import { ResultSpool } from './result-spool.ts';
import { splitRows } from './split-rows.ts';
import { UploadMeter } from './upload-meter.ts';

/**
 * An upload of any size: rows go to the procedure as they arrive, results are spooled and sent at the end, when the status is known:
 * 200 all in, 207 some failed; none in: 503 when a later try may do better, else 400. When the connection breaks, the rows that were
 * answered to us are in.
 */
export async function runImport(call: RestCall): Promise<Answer> {
  const { request, ctx, operation } = call;
  const { stallTimeoutMs: stallMs, bytesPerSecondMin: bytesPerSecond } = ctx.deps.settings;
  const meter = new UploadMeter();
  const results = await callProcedure(operation.procedure, ctx, async () => {
    checkBodyHeaders(request.headers, 'json or ndjson', Number.POSITIVE_INFINITY);
    const format = mediaType(request.headers) === 'application/json' ? 'array' : 'lines';
    const chunks = bodyChunks(request, { stallMs, bytesPerSecond });
    return { ...readParameters(call), rows: splitRows(chunks, format, meter) };
  });
  if (!isAsyncIterable<ImportResult>(results)) {
    throw new AppError('INTERNAL', 'Something went wrong on our side');
  }

  const spool = new ResultSpool();
  let succeeded = 0;
  let failed = 0;
  let isAway = false;
  try {
    for await (const result of results) {
      meter.rowSettled();
      if (result.success) succeeded++;
      else failed++;
      isAway ||= result.code === 'UNAVAILABLE';
      await spool.add(JSON.stringify(result));
    }
  } catch (error) {
    await spool.close();
    ctx.log.info('import stopped', { succeeded, failed, uploadBytes: meter.totalBytes, error });
    throw error;
  }
  ctx.log.info('import done', {
    succeeded,
    failed,
    uploadBytes: meter.totalBytes,
    bufferedBytesPeak: meter.peakBytes,
  });
  const isForLater = succeeded === 0 && isAway;
  return {
    status: failed === 0 ? 200 : succeeded > 0 ? 207 : isForLater ? 503 : 400,
    headers: { 'Content-Type': 'application/json', ...(isForLater && { 'Retry-After': retryAfter(30) }) },
    body: spool.read(`{"succeeded":${succeeded},"failed":${failed},"results":[`, ']}'),
  };
}
