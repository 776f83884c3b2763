/** The cluster understood a request and refuses it. */
export class ClusterError extends Error {
  readonly status: number;

  constructor(status: number, reason: string, cause?: unknown) {
    super(`the search cluster refuses a request (${status}): ${reason}`, { cause });
    this.name = 'ClusterError';
    this.status = status;
  }
}

/** An index takes no documents: a disk is nearly full. */
export class IndexBlocked extends ClusterError {}
