import { type AnyTRPCProcedure, callTRPCProcedure } from '@trpc/server';
import { toAppError } from '#server/to-app-error.ts';
import type { Context } from './context.ts';
import { appRouter, type ProcedureName } from './router.ts';

/** The router's own table is flat: procedures by their dotted names. */
const procedures = appRouter._def.procedures as unknown as Record<ProcedureName, AnyTRPCProcedure>;

/**
 * Calls a procedure in this process. `getInput` is asked once, and only when the caller may call the procedure at all, so that no body
 * is read for others.
 * @throws AppError
 */
export async function callProcedure(
  name: ProcedureName,
  ctx: Context,
  getInput: () => Promise<unknown>,
): Promise<unknown> {
  let input: Promise<unknown> | undefined;
  const getRawInput = () => {
    input ??= getInput();
    return input;
  };
  const { type } = procedures[name]._def;
  const { signal } = ctx.request;
  try {
    return await callTRPCProcedure({
      router: appRouter,
      path: name,
      type,
      ctx,
      getRawInput,
      signal,
      batchIndex: 0,
    });
  } catch (error) {
    throw toAppError(error);
  }
}
