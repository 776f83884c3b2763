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
