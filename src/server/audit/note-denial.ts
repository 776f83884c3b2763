import type { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { Actor, Origin } from './audit-entry.ts';
import type { Denials } from './denials.ts';
import { fieldsOf } from './rejection-lines.ts';

/** What was to be done, and by whom, as far as that is known where it was refused. */
interface Attempt {
  action: string;
  actor: Actor;
  workspaceId: number | null;
  from: Origin;
}

const told = new WeakSet<AppError>();

/**
 * The security log: a line for every 401 and 403, wherever it is thrown, once, though it passes several who could tell of it, and for 429
 * as `RejectionLines` has it. In the audit too: 403, and 401 of somebody who showed a key or a password.
 */
export function noteDenial(
  { log, denials }: { log: Log; denials: Denials },
  error: AppError,
  attempt: Attempt,
): void {
  const { code, subject } = error;
  if (code !== 'UNAUTHORIZED' && code !== 'FORBIDDEN' && code !== 'TOO_MANY_REQUESTS') return;
  if (told.has(error)) return;
  told.add(error);
  const { action, from } = attempt;
  const { workspaceId, ...actor } = subject ?? { ...attempt.actor, workspaceId: attempt.workspaceId };
  const line = { action, code, reason: error.message, actor, workspaceId, address: from.address };
  if (code === 'TOO_MANY_REQUESTS') denials.lines.note({ requestId: from.requestId, ...line });
  else log.info('refused', fieldsOf(line));
  if (code === 'FORBIDDEN' || (code === 'UNAUTHORIZED' && subject)) {
    denials.note({ action, actor, workspaceId, target: null, from });
  }
}
