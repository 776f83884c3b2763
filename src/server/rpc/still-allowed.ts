import type { KnownCollection } from '#server/auth/known/known-callers.ts';
import { databaseUnavailable } from '#server/db/record-error.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Permission } from '#shared/api-keys.ts';
import type { Context } from './context.ts';
import { getKnownCollection, getWritableCollection } from './known-collections.ts';
import { noteDeniedCall } from './note-denied-call.ts';
import type { CallerContext } from './scope.ts';
import { getPermitted } from './trpc.ts';

type LongContext = CallerContext &
  Pick<Context, 'identifyAgain' | 'log' | 'request'> & { permission: Permission };

/**
 * For work that goes on for long: the function answered throws as soon as a new request of the same caller would be refused. It needs no
 * statement while caller and collection are known. A denial is final, but for UNAVAILABLE.
 */
export function stillAllowed(
  ctx: LongContext,
  collection: KnownCollection,
  reference: string,
): () => Promise<void> {
  let denial: AppError | null = null;
  return async () => {
    if (denial) throw denial;
    try {
      await assertAllowed(ctx, collection, reference);
    } catch (error) {
      if (error instanceof AppError && error.code !== 'UNAVAILABLE') {
        denial = error;
        noteDeniedCall(ctx, error, { action: 'documents.goOn', workspaceId: collection.workspaceId });
      }
      throw error;
    }
  };
}

/** @throws AppError as for a new request */
async function assertAllowed(ctx: LongContext, { id }: KnownCollection, reference: string): Promise<void> {
  const principal = getPermitted(await ctx.identifyAgain(), ctx.permission);
  const isWrite = ctx.permission === 'write';
  if (isWrite && !principal.isConfirmed) throw databaseUnavailable();
  const get = isWrite ? getWritableCollection : getKnownCollection;
  const again = { ...ctx, principal };
  if (await isNamed(reference, id, again, get)) return;
  // A collection that got another name meanwhile is the same one.
  if (!(await isNamed(String(id), id, again, get))) throw notFound('Collection');
}

/** Whether the reference names this collection; another one, several or none: no. @throws AppError what else refuses it */
async function isNamed(
  reference: string,
  id: number,
  ctx: CallerContext,
  get: typeof getKnownCollection,
): Promise<boolean> {
  try {
    return (await get(ctx, reference)).id === id;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT')) return false;
    throw error;
  }
}

const bytesBetween = 64 * 1024;

/** Texts as they come, until their reader may not read them any more: asked about every 64 KB. */
export async function* whileAllowed(
  texts: AsyncIterable<Uint8Array>,
  assertAllowed: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const text of texts) {
    if (bytes >= bytesBetween) {
      await assertAllowed();
      bytes = 0;
    }
    bytes += text.byteLength;
    yield text;
  }
}
