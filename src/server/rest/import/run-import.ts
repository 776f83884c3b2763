import { loopTurns } from '#server/admission/loop-turns.ts';
import { AppError, badRequest } from '#server/errors.ts';
import { callProcedure } from '#server/rpc/call-procedure.ts';
import { type Answer, retryAfter } from '#server/wire/answer.ts';
import { charsetOf, checkBodyHeaders, mediaType, unpackedChunks } from '#server/wire/body.ts';
import type { ReadRows } from '#server/wire/import-row.ts';
import { isAsyncIterable } from '#server/wire/is-async-iterable.ts';
import type { ImportResult } from '#shared/documents.ts';
import { readParameters } from '../input.ts';
import type { RestCall } from '../rest-call.ts';
import { chunksInTurns } from './chunks-in-turns.ts';
import type { TableFormat } from './csv/split-table.ts';
import { FaultKinds } from './fault-kinds.ts';
import { ResultSpool } from './result-spool.ts';
import { type RowFormat, splitRows } from './split-rows.ts';
import { UploadMeter } from './upload-meter.ts';
import { tableTypes, takesKey, uploadTypesOf } from './upload-types.ts';

/**
 * An upload of any size: rows go to the procedure as they arrive, results are spooled and sent at the end, when the status is known:
 * 200 all in, 207 some failed; none in: 503 when a later try may do better, else 400. When the connection breaks, the rows that were
 * answered to us are in. A dry run answers as the import would.
 */
export async function runImport(call: RestCall): Promise<Answer> {
  const { deps, requester } = call.ctx;
  const meter = new UploadMeter(() => deps.memory.bodies.hold(requester.tenant));
  try {
    return await importMetered(call, meter);
  } finally {
    meter.end();
  }
}

async function importMetered(call: RestCall, meter: UploadMeter): Promise<Answer> {
  const { ctx, operation } = call;
  const noteImport = (id: number) => {
    call.answerHeaders['X-Import-Id'] = String(id);
  };
  const asked = { isDryRun: false };
  const results = await callProcedure(operation.procedure, { ...ctx, noteImport }, async () => {
    const input = readUpload(call, meter);
    asked.isDryRun = input['dry_run'] === 'true';
    return input;
  });
  if (!isAsyncIterable<ImportResult>(results)) {
    throw new AppError('INTERNAL', 'Something went wrong on our side');
  }

  const spool = new ResultSpool(ctx.held.spool.add);
  const faults = new FaultKinds();
  let succeeded = 0;
  let failed = 0;
  /** In how many seconds all that failed for a passing reason can be sent again; null: nothing did. */
  let retrySeconds: number | null = null;
  try {
    for await (const result of results) {
      meter.rowSettled();
      if (result.success) succeeded++;
      else failed++;
      faults.add(result);
      if (result.code === 'UNAVAILABLE') retrySeconds = Math.max(retrySeconds ?? 1, result.retry_after ?? 1);
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
  const later = succeeded === 0 && retrySeconds !== null && { 'Retry-After': retryAfter(retrySeconds) };
  const summary = {
    succeeded,
    failed,
    ...(asked.isDryRun && { dry_run: true as const }),
    faults: faults.list(),
  };
  return {
    status: failed === 0 ? 200 : succeeded > 0 ? 207 : later ? 503 : 400,
    headers: { 'Content-Type': 'application/json', ...later },
    body: spool.read(`${JSON.stringify(summary).slice(0, -1)},"results":[`, ']}'),
  };
}

/** The procedure's input, whose rows are read once it wants them. @throws AppError */
function readUpload(call: RestCall, meter: UploadMeter): Record<string, unknown> {
  const { request, ctx, operation } = call;
  const { stallTimeoutMs: stallMs, bytesPerSecondMin: bytesPerSecond } = ctx.deps.settings;
  const accepts = uploadTypesOf(operation);
  checkBodyHeaders(request.headers, { accepts, bytesMax: Number.POSITIVE_INFINITY });
  const type = mediaType(request.headers);
  const charset = tableTypes.has(type) ? charsetOf(request.headers) : null;
  const parameters = readParameters(call);
  for (const name of ['delimiter', 'mapping']) {
    if (name in parameters && !tableTypes.has(type))
      throw badRequest(name, `is for ${[...tableTypes].join(' and ')}`);
  }
  const turn = () => loopTurns.next(ctx.requester);
  const chunks = chunksInTurns(unpackedChunks(request, { stallMs, bytesPerSecond }), turn);
  const rows: ReadRows = (table) => splitRows(chunks, formatOf(type, { table, charset, turn }), meter);
  const key = takesKey(operation) ? request.headers.get('idempotency-key') : null;
  return { ...parameters, rows, ...(key !== null && { idempotency_key: key }) };
}

function formatOf(type: string, { table, ...format }: TableFormat): RowFormat {
  if (type === 'application/json') return 'array';
  if (type === 'application/x-ndjson') return 'lines';
  const tab = type === 'text/csv' ? undefined : '\t';
  return { table: { ...table, delimiter: table.delimiter ?? tab }, ...format };
}
