import { addressGroup, addressNetwork } from '#server/admission/address.ts';
import type { Actor, AuditEntry } from '#server/audit/audit-entry.ts';
import { writeAuditEntry, writeRepeatedEntry } from '#server/audit/write-audit-entry.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { WriteOptions } from '#server/db/client.ts';
import type { Context } from './context.ts';

/** What a procedure did; who, when and whence are known. */
export type Act = Pick<AuditEntry, 'workspaceId' | 'target' | 'before' | 'after'> & {
  /** The procedure's name unless told. */
  action?: string;
  /** Who calls unless told: for who is gone by the time it is written. */
  actor?: Actor;
};

/** A procedure that writes says once what it did, or nothing of it is committed. */
export type Audit = (act: Act) => void;

export function actorOf(principal: Principal | null): Actor {
  if (principal === null) return { kind: 'nobody', id: null };
  return principal.kind === 'user'
    ? { kind: 'user', id: principal.userId }
    : { kind: 'key', id: principal.keyId };
}

type Acting = Pick<Context, 'deps' | 'log' | 'principal' | 'request'>;

/** An act as it is written down. */
export function entryOf({ deps, principal, request }: Acting, path: string, act: Act): AuditEntry {
  return { at: deps.clock(), action: path, actor: actorOf(principal), from: request, ...act };
}

/** The same in the log, once it is done. */
export function logAct(ctx: Acting, path: string, act: Act): void {
  ctx.log.info('act', lineOf(ctx, path, act));
}

function lineOf({ principal, request }: Acting, path: string, { action = path, workspaceId, target }: Act) {
  const { kind, id } = actorOf(principal);
  const about = { workspaceId, target: target && `${target.kind} ${target.id}` };
  return { action, actor: `${kind} ${id}`, address: request.address, ...about };
}

/**
 * For what is written batch by batch, or only read: the entry is written before the first effect, since a process that is killed half-way
 * must not leave an effect without one. How it ended is in the log, under the same request id.
 */
export async function auditBefore(
  ctx: Acting,
  act: Act & { action: string },
  options?: WriteOptions,
): Promise<void> {
  const entry = entryOf(ctx, act.action, act);
  await ctx.deps.record.write((db) => writeAuditEntry(db, entry), options);
  logAct(ctx, act.action, act);
}

type RepeatedAct = Act & { action: string; workspaceId: number; target: NonNullable<Act['target']> };

/** The same for what is only read, by whoever may read and as often as one likes: its entries and its lines of the log count what is like them. */
export async function auditRepeated(ctx: Acting, act: RepeatedAct, options?: WriteOptions): Promise<void> {
  const { action, workspaceId, target } = act;
  const entry = { ...entryOf(ctx, action, act), workspaceId, target };
  await ctx.deps.record.write((db) => writeRepeatedEntry(db, entry), options);
  const { address, requestId } = ctx.request;
  const fields = lineOf(ctx, action, act);
  const name = `${action} ${fields.actor} ${fields.target} ${addressGroup(address)}`;
  ctx.deps.denials.repeated.note({ name, group: addressNetwork(address), kind: action, requestId, fields });
}

/** What leaves the server, noted once there is something to leave and before it does. */
export async function* auditedBefore<T>(
  things: AsyncIterable<T>,
  note: () => Promise<void>,
): AsyncGenerator<T> {
  let isNoted = false;
  for await (const thing of things) {
    if (!isNoted) await note();
    isNoted = true;
    yield thing;
  }
  if (!isNoted) await note();
}
