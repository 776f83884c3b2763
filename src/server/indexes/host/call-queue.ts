import { FairQueue, type Place } from '#server/admission/fair-queue.ts';
import { pathOf, type Requester } from '#server/admission/requester.ts';
import type { CallName } from './engine-calls.ts';

/** A call that waits for its turn at the engine's thread. */
export interface QueuedCall {
  collection: { id: number; for: Requester };
  request: { call: CallName; ids?: string[] };
}

/** For one collection these act in the order in which they were made. Everything else is a read, which may pass them. */
const ordered = new Set<CallName>([
  'open',
  'openBytes',
  'apply',
  'snapshot',
  'snapshotBytes',
  'endSnapshot',
  'close',
]);
/** Documents read at once; more are a page of an export. */
const documentsMax = 10;
const bulkWeight = 1 / 4;
/** Asked for in the collection's turn, once its changes have been applied. */
const closing = new Set<CallName>(['snapshot', 'snapshotBytes', 'endSnapshot', 'close']);
/** Milliseconds of the thread that a tenant owes at most for what it used while nobody else waited. */
const debtMaxMs = 250;

/**
 * The calls that wait for one engine thread: tenants take turns by the milliseconds they have used, and so do a tenant's callers. What
 * is done in bulk counts four times. So a search waits for what is at work, not for all that others have queued, and searches without
 * end do not stop an import. Others wait for an index that is saved or closed, so these have turns beside the tenants: their owner's calls
 * do not slow them.
 */
export function createCallQueue<Call extends QueuedCall>(): FairQueue<Call> {
  return new FairQueue<Call>(placeOf, debtMaxMs);
}

function placeOf({ collection, request }: QueuedCall): Place {
  const { caller, weight = 1 } = collection.for;
  const place = (lane: string, times = 1): Place => ({
    path: pathOf(collection.for, lane),
    weight: weight * times,
  });
  if (closing.has(request.call))
    return { path: ['closing', collection.for.tenant, `${collection.id}`], weight: 1 };
  if (isOrdered(request)) return place(`changes ${collection.id}`, bulkWeight);
  if (isBulk(request)) return place(`bulk ${caller}`, bulkWeight);
  return place(`reads ${caller}`);
}

export function isOrdered({ call }: QueuedCall['request']): boolean {
  return ordered.has(call);
}

export function isBulk({ call, ids }: QueuedCall['request']): boolean {
  if (call === 'ids' || call === 'lines' || call === 'sample') return true;
  return call === 'documents' && ids !== undefined && ids.length > documentsMax;
}
