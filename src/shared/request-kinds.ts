/** What is known of a request without its schema: the console's first load has it. */

/** What a request does; `read`: it neither searches nor changes anything. */
export const requestTypes = ['search', 'insert', 'update', 'delete', 'read'] as const;
export type RequestType = (typeof requestTypes)[number];

export const requestLevels = ['success', 'warning', 'error'] as const;
export type RequestLevel = (typeof requestLevels)[number];

/** What is the caller's to mend, or was done in part, is a warning; what is ours is an error. */
export function levelOf(status: number): RequestLevel {
  if (status >= 500) return 'error';
  return status >= 400 || status === 207 ? 'warning' : 'success';
}

/** Where a request came in: over REST, or from the console. */
export const requestWays = ['api', 'console'] as const;
export type RequestWay = (typeof requestWays)[number];

/** Operations that change nothing and whose answer is documents or words: whoever looks at one may send it again. */
const replayedOperations = [
  'search.keyword',
  'search.vector',
  'search.hybrid',
  'search.similar',
  'search.multi',
  'search.suggest',
  'documents.get',
] as const;
export type ReplayedOperation = (typeof replayedOperations)[number];

export function isReplayed(operation: string): operation is ReplayedOperation {
  return replayedOperations.some((name) => name === operation);
}

/**
 * Whether a request can be sent again, or why not: it changes something, its answer is not compared, it was longer than is kept, something in it
 * looked like a secret, or it was about all that its key may see.
 */
export const replayStates = ['yes', 'write', 'other', 'too_long', 'secret', 'scope'] as const;
export type ReplayState = (typeof replayStates)[number];
