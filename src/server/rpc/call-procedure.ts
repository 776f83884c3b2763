import { callTRPCProcedure } from '@trpc/server';
import { toAppError } from '#server/to-app-error.ts';
import type { Context } from './context.ts';
import type { ProcedureEntry } from './procedures.ts';
import { appRouter } from './router.ts';

/**
 * Calls a procedure in this process. `getInput` is asked once, and only when the caller may call the procedure at all, so that no body
 * is read for others.
 * @throws AppError
 */
export async function callProcedure(
  { name, type }: Pick<ProcedureEntry, 'name' | 'type'>,
  ctx: Context,
  getInput: () => Promise<unknown>,
): Promise<unknown> {
  let input: Promise<unknown> | undefined;
  const getRawInput = () => {
    input ??= getInput();
    return input;
  };
  const { signal } = ctx.request;
  const call = { path: name, type, ctx, getRawInput, signal, batchIndex: 0 };
  try {
    return await callTRPCProcedure({ router: appRouter, ...call });
  } catch (error) {
    throw toAppError(error);
  }
}
