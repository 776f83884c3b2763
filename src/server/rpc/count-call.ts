import type { Context, UsageScope } from './context.ts';
import type { ProcedureMeta } from './procedure-meta.ts';

/** How many requests of each workspace a call is, in all. @throws QuotaError TOO_MANY_REQUESTS, before anything is done for them */
export type CountAll = (requests: ReadonlyMap<number, number>) => Promise<void>;

type Counting = Pick<Context, 'deps' | 'principal' | 'noteUsage' | 'request'>;

/** Whoever has used all requests can still see it. */
const uncounted: ReadonlySet<string> = new Set([
  'auth',
  'dashboard',
  'usage',
  'monitoring',
  'collectionHealth',
  'requests',
  'alerts',
]);

export function isCounted(path: string): boolean {
  return !uncounted.has(path.slice(0, path.indexOf('.')));
}

/**
 * Counts one call, over REST or tRPC, against the requests that a workspace has a month, once and whatever its answer. A key belongs to a
 * workspace; what a session's call is about is known once its thing is found.
 */
export class CallCount {
  readonly #ctx: Counting;
  readonly #isCounted: boolean;
  readonly #isRefused: boolean;
  readonly #counted = new Map<number, number>();

  constructor(ctx: Counting, path: string, access: ProcedureMeta['access']) {
    this.#ctx = ctx;
    this.#isCounted = isCounted(path);
    // In the console people go on managing what they have, and can take a key away that has used all requests.
    this.#isRefused = ctx.request.way === 'rest' || access !== 'session';
  }

  /** @throws QuotaError TOO_MANY_REQUESTS */
  async begin(): Promise<void> {
    const { principal, noteUsage } = this.#ctx;
    if (principal?.kind !== 'key') return;
    if (this.#isCounted) await this.#count(principal.workspaceId, 1);
    noteUsage?.(principal);
  }

  /** @throws QuotaError TOO_MANY_REQUESTS */
  readonly noteUsage = (about: UsageScope): void => {
    const { deps, principal, noteUsage } = this.#ctx;
    const { workspaceId } = about;
    if (this.#isCounted && principal?.kind !== 'key' && this.#counted.size === 0) {
      deps.quotas.requests.takeNow(workspaceId, { isRefused: this.#isRefused });
      this.#counted.set(workspaceId, 1);
    }
    noteUsage?.(about);
  };

  readonly countAll: CountAll = async (requests) => {
    if (!this.#isCounted) return;
    for (const [workspaceId, count] of requests) await this.#count(workspaceId, count);
  };

  async #count(workspaceId: number, count: number): Promise<void> {
    const counted = this.#counted.get(workspaceId) ?? 0;
    if (count <= counted) return;
    await this.#ctx.deps.quotas.requests.take(workspaceId, count - counted);
    this.#counted.set(workspaceId, count);
  }
}
