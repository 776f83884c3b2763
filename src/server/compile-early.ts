import { setFlagsFromString } from 'node:v8';

/** How much of a function runs before V8 asks whether to optimise it, in bytes of its bytecode. */
export const budget = 'interrupt-budget';
/** V8's own is 67,584, which suits loops. */
const budgetBytes = 20_000;

/**
 * From now on functions are optimised after about a third of the calls. A request runs a thousand functions once each, none of which loops for long, so that by
 * V8's own budget thousands of requests were answered by code that is not optimised. Before threads are started, which look at the same flags.
 */
export function compileEarly(): void {
  setFlagsFromString(`--${budget}=${budgetBytes}`);
}
