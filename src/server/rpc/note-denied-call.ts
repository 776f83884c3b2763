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

/** Tells the log of a call that was answered 503: like ones of a caller, which it can make as often as it likes, as one line a second. */
export function noteUnavailableCall(
  { deps, principal, request }: Pick<Context, 'deps' | 'principal' | 'request'>,
  error: AppError,
  { path, type }: { path: string; type: string },
): void {
  const { kind, id, name } = actorOf(principal);
  const { code, message } = error;
  const actor = `${kind} ${id ?? name ?? ''}`.trim();
  deps.denials.unavailable.note({
    name: `${path} ${actor} ${message}`,
    group: addressNetwork(request.address),
    kind: code,
    requestId: request.requestId,
    fields: { path, type, code, actor, error: error.cause ?? error },
  });
}
