import type { Context } from '#server/rpc/context.ts';
import type { Operation } from './catalogue.ts';

/** One request for a known operation, by a caller who has been identified. */
export interface RestCall {
  operation: Operation;
  /** The input's fields that the path gives. */
  fields: Record<string, string>;
  request: Request;
  ctx: Context;
  /** Of whatever is answered, be it an error. */
  answerHeaders: Record<string, string>;
}
