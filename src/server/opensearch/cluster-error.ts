/** The cluster understood a request and refuses it. */
export class ClusterError extends Error {
  readonly status: number;

  constructor(status: number, reason: string, cause?: unknown) {
    super(`the search cluster refuses a request (${status}): ${reason}`, { cause });
    this.name = 'ClusterError';
    this.status = status;
  }
}
