import type { Context as HonoContext } from 'hono';
import { noteDenial } from '#server/audit/note-denial.ts';
import type { Deps } from '#server/deps.ts';
import type { AppError } from '#server/errors.ts';
import { actorOf } from '#server/rpc/act.ts';
import { type Environment, headersOf } from './environment.ts';
import { headOf } from './request-head.ts';

/** Tells the log and the audit of a request that is refused before any procedure has it, or turned away for having too much under way; it does nothing for other failures. */
export function noteDeniedRequest(
  c: HonoContext<Environment>,
  deps: Pick<Deps, 'denials' | 'settings'>,
  error: AppError,
  action: string,
): void {
  const headers = headersOf(c);
  const from = {
    requestId: c.get('requestId'),
    userAgent: headers.get('user-agent'),
    address: headOf(c.env?.incoming, headers, deps.settings).address,
  };
  const principal = c.get('principal') ?? null;
  const workspaceId = principal?.kind === 'key' ? principal.workspaceId : null;
  noteDenial(deps.denials, error, { action, actor: actorOf(principal), workspaceId, from });
}
