import type { Context as HonoContext } from 'hono';
import { noteRefusal } from '#server/audit/note-refusal.ts';
import type { Deps } from '#server/deps.ts';
import type { AppError } from '#server/errors.ts';
import { addressOf, type Environment } from './environment.ts';

/** Tells the log and the audit of a request that is refused before any procedure has it; it does nothing for other failures. */
export function refuseAtEdge(
  c: HonoContext<Environment>,
  deps: Pick<Deps, 'refusals' | 'settings'>,
  error: AppError,
  action: string,
): void {
  const { headers } = c.req.raw;
  const from = {
    requestId: c.get('requestId'),
    userAgent: headers.get('user-agent'),
    address: addressOf(headers, c.env?.incoming, deps.settings.trustProxy),
  };
  const actor = { kind: 'nobody', id: null } as const;
  const log = c.get('log');
  noteRefusal({ log, refusals: deps.refusals }, error, { action, actor, workspaceId: null, from });
}
