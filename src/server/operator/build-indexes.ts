import type { RecordStore } from '#server/db/client.ts';
import { isDatabaseAway } from '#server/db/record-error.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { EngineAway } from '#server/indexes/registry/engine-away.ts';
import type { Log } from '#server/log.ts';
import type { Cluster } from '#server/opensearch/cluster.ts';
import { OpenSearchIndexes } from '#server/opensearch/opensearch-indexes.ts';
import { retryAway } from '#server/opensearch/retry-away.ts';
import type { Verified } from '#shared/collections.ts';
import { forTerminal } from './for-terminal.ts';

interface BuildParts {
  cluster: Cluster;
  record: RecordStore;
  log: Log;
  print: (text: string) => void;
}

/** Nobody waits for an answer here, so that a cluster that is away for a moment ends nothing. */
const patienceMs = 120_000;

/** Whose turn it has at the cluster and the database. */
const itself = { tenant: 'migrate', caller: '' };

/**
 * Makes the index of each collection in the cluster that is not there yet, and compares each with the record. What is amiss with one of them keeps no other back.
 * @throws Error that names the collections whose index is not what the record is; EngineAway
 */
export async function buildIndexes({ cluster, record, log, print }: BuildParts): Promise<void> {
  let made = 0;
  const onMade = (documents: number) => {
    made += documents;
    print(`\r    ${made} documents`);
  };
  const indexes = new OpenSearchIndexes({
    ...{ cluster, record, log, onMade, patienceMs },
    onChanged: () => undefined,
    // Each is whole before the next one's turn.
    waitedForMax: Number.POSITIVE_INFINITY,
  });
  const rows = await record.sql.unsafe(
    'select id, name, dimension, metric, rules_version, document_count from collections where deleted_at is null order by id',
  );
  const different: string[] = [];
  for (const [i, row] of rows.entries()) {
    const { id, dimension, metric, rules_version: rulesVersion } = row;
    const name = forTerminal(JSON.stringify(row['name']));
    print(`  ${i + 1} of ${rows.length}: ${name} (${id}), ${row['document_count']} documents\n`);
    made = 0;
    const handle: CollectionHandle = { id, for: itself, dimension, metric, rulesVersion };
    const fault = await build(indexes, handle).catch(faultOf);
    if (made > 0) print('\n');
    print(`    ${forTerminal(fault ?? 'verified')}\n`);
    if (fault !== null) different.push(name);
  }
  if (different.length > 0)
    throw new Error(`The index is not what the record is of ${different.join(', ')}: see above, and the log`);
}

/** What is amiss; null: it is the record. @throws AppError, ClusterError */
async function build(indexes: OpenSearchIndexes, handle: CollectionHandle): Promise<string | null> {
  await retryAway(() => indexes.read(handle, { call: 'stats' }), patienceMs);
  const verified = await retryAway(() => indexes.verify(handle), patienceMs);
  return isTheRecord(verified) ? null : differenceOf(verified);
}

/** @throws what is no fault of a collection's: it would be that of each that follows */
function faultOf(error: unknown): string {
  const isOfAll = !(error instanceof Error) || error instanceof EngineAway || isDatabaseAway(error);
  if (isOfAll) throw withCause(error);
  return `failed: ${error.message}`;
}

/** With the client's words, which tell a node that is gone from one that takes long. */
function withCause(error: unknown): unknown {
  if (!(error instanceof EngineAway && error.cause instanceof Error)) return error;
  return new Error(`${error.message} (${error.cause.message})`, { cause: error });
}

function isTheRecord({ documents, indexed, missing, ghosts, stale, more }: Verified): boolean {
  return documents === indexed && !more && missing.length + ghosts.length + stale.length === 0;
}

function differenceOf({ documents, indexed, missing, ghosts, stale }: Verified): string {
  const counts = `${documents} documents, ${indexed} in the index`;
  const named = [...missing, ...ghosts, ...stale].slice(0, 5).join(', ');
  return `different: ${counts}; missing ${missing.length}, too many ${ghosts.length}, stale ${stale.length}: ${named}`;
}
