import { addressNetwork } from '#server/admission/address.ts';
import { noteDenial } from '#server/audit/note-denial.ts';
import type { AppError } from '#server/errors.ts';
import { actorOf } from './act.ts';
import type { Context } from './context.ts';

/** Tells the log and the audit of a call that was denied. */
export function noteDeniedCall(
  { deps, principal, request }: Pick<Context, 'deps' | 'principal' | 'request'>,
  error: AppError,
  { action, workspaceId }: { action: string; workspaceId: number | null },
): void {
  const own = principal?.kind === 'key' ? principal.workspaceId : workspaceId;
  const attempt = { action, actor: actorOf(principal), workspaceId: own, from: request };
  noteDenial(deps.denials, error, attempt);
}

/**
 * Tells the log of a call that was answered 503 (`warn`) or 500 (`error`): like ones of a caller, which it can make as often as it likes, as one line
 * a second.
 */
export function noteFailedCall(
  { deps, principal, request }: Pick<Context, 'deps' | 'principal' | 'request'>,
  error: AppError,
  { path, type, level }: { path: string; type: string; level: 'warn' | 'error' },
): void {
  const { kind, id, name } = actorOf(principal);
  const { code, message, cause } = error;
  const actor = `${kind} ${id ?? name ?? ''}`.trim();
  deps.denials.failures[level].note({
    name: `${path} ${actor} ${cause instanceof Error ? cause.message : message}`,
    group: addressNetwork(request.address),
    kind: code,
    requestId: request.requestId,
    fields: { path, type, code, actor, error: cause ?? error },
  });
}
