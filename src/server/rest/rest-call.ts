import type { Context } from '#server/rpc/context.ts';
import type { RestMatch } from './match.ts';

/** One request for a known operation, by a caller who has been identified. */
export interface RestCall {
  match: RestMatch;
  request: Request;
  ctx: Context;
}
