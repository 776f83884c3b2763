import type { Sql } from 'postgres';
import type { StoredFault } from '#server/db/schema/imports.ts';
import { AppError } from '#server/errors.ts';
import type { Import } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';

type Tx = Pick<Sql, 'unsafe'>;
type Counts = Pick<Import, 'rows' | 'succeeded' | 'failed'>;

const prepared = { prepare: true };

const markText = `update imports set rows = $3, succeeded = $4, failed = $5, digest = decode($6, 'hex'), updated_at = now()
  where id = $1 and rows = $2 and state = 'running' returning id`;
/** Answers what was kept before. */
const faultsText = `insert into import_faults (import_id, row, faults) values ($1, $2, $3::text::jsonb)
  returning (select coalesce(sum(pg_column_size(kept.faults)), 0)
    from import_faults kept join imports of_kept on of_kept.id = kept.import_id
    where of_kept.collection_id = (select collection_id from imports where id = $1)) as kept_bytes`;

/**
 * In the transaction that writes these rows: from now on they are done. No two uploads get through here with the same rows.
 * @throws AppError CONFLICT when it is elsewhere than this upload, UNPROCESSABLE when no more of what failed is kept
 */
export async function markRows(
  tx: Tx,
  mark: Counts & { id: number; rowsBefore: number; digest: Uint8Array | null; faults: StoredFault[] },
): Promise<void> {
  const { id, rowsBefore, rows, succeeded, failed, digest, faults } = mark;
  const hex = digest === null ? null : Buffer.from(digest).toString('hex');
  const marked = await tx.unsafe(markText, [id, rowsBefore, rows, succeeded, failed, hex], prepared);
  if (marked.length === 0)
    throw new AppError('CONFLICT', 'This import was canceled, or another upload goes on with it');
  const [first] = faults;
  if (!first) return;
  const [row] = await tx.unsafe(faultsText, [id, first[0], JSON.stringify(faults)], prepared);
  if (Number(row?.['kept_bytes']) > limits.importFaultsBytesMax) throw tooManyFaults();
}

function tooManyFaults(): AppError {
  const megabytes = limits.importFaultsBytesMax / 1024 / 1024;
  return new AppError(
    'UNPROCESSABLE',
    `Too many rows have failed in this collection's imports with an Idempotency-Key: of these ${megabytes} MB are kept for ${limits.importsKeptHours} hours; send the upload without one`,
  );
}

/** An import as one server has it: a server that was cut off may come back after another one has taken it up. */
interface OwnImport {
  id: number;
  server: number | null;
}

const isOwn = 'id = $1 and server is not distinct from $2';

/** Beside the rows. */
export async function noteRows(
  sql: Tx,
  { id, server }: OwnImport,
  { rows, succeeded, failed }: Counts,
): Promise<void> {
  await sql.unsafe(
    `update imports set rows = $3, succeeded = $4, failed = $5, updated_at = now() where ${isOwn} and state = 'running'`,
    [id, server, rows, succeeded, failed],
    prepared,
  );
}

/** One that another server has canceled stays so. `counts`: of one whose rows are not settled in their batches' transactions; null: the record knows better what is. */
export async function endImport(
  sql: Tx,
  { id, server }: OwnImport,
  { state, error, counts }: Pick<Import, 'state' | 'error'> & { counts: Counts | null },
): Promise<void> {
  await sql.unsafe(
    `update imports set state = case when state = 'running' then $3 else state end,
       error = case when state = 'running' then $4 else error end, updated_at = now(), ended_at = now(),
       rows = coalesce($5::bigint, rows), succeeded = coalesce($6::bigint, succeeded), failed = coalesce($7::bigint, failed)
     where ${isOwn} and (state = 'running' or (state = 'canceled' and ended_at is null))`,
    [id, server, state, error, counts?.rows ?? null, counts?.succeeded ?? null, counts?.failed ?? null],
    prepared,
  );
}

const faultsAtOnce = 100;

/** Some of the stored faults in the order of their rows, behind a row. */
export async function readFaults(
  sql: Tx,
  importId: number,
  after: number,
): Promise<{ faults: StoredFault[]; last: number; isEnd: boolean }> {
  const rows = await sql.unsafe(
    'select row, faults from import_faults where import_id = $1 and row > $2 order by row limit $3',
    [importId, after, faultsAtOnce],
    prepared,
  );
  const faults = rows.flatMap((row) => row['faults'] as StoredFault[]);
  return { faults, last: Number(rows.at(-1)?.['row'] ?? after), isEnd: rows.length < faultsAtOnce };
}
