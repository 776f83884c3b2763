/** The cluster understood a request and refuses it. */
export class ClusterError extends Error {
  readonly status: number;
  /** That is not there; null: it is about something else. */
  readonly missingIndex: string | null;

  constructor(
    status: number,
    reason: string,
    { cause, ...of }: { cause?: unknown; missingIndex?: string } = {},
  ) {
    super(`the search cluster refuses a request (${status}): ${reason}`, { cause });
    this.name = 'ClusterError';
    this.status = status;
    this.missingIndex = of.missingIndex ?? null;
  }
}

/** What the cluster says is wrong. */
export interface Refusal {
  type?: string;
  reason?: string;
  index?: string;
  root_cause?: Omit<Refusal, 'root_cause'>[];
}

/** The index that a refusal says is not there. */
export function missingIndexIn(refusal: Refusal | undefined): { missingIndex?: string } {
  const { type, index } = refusal?.root_cause?.[0] ?? refusal ?? {};
  return type === 'index_not_found_exception' && index !== undefined ? { missingIndex: index } : {};
}

/** An index takes no documents: a disk is nearly full. */
export class IndexBlocked extends ClusterError {}
