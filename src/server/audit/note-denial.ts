import type { AppError } from '#server/errors.ts';
import type { Actor, Origin } from './audit-entry.ts';
import type { Denials } from './denials.ts';

/** What was to be done, and by whom, as far as that is known where it was refused. */
interface Attempt {
  action: string;
  actor: Actor;
  workspaceId: number | null;
  from: Origin;
}

const told = new WeakSet<AppError>();

/**
 * The security log: every 401, 403 and 429, wherever it is thrown, once, though it passes several who could tell of it; as lines they are as
 * `RejectionLines` has it. In the audit too: 403, 401 of somebody who showed a key or a password, and 429 of signing in to an account.
 */
export function noteDenial(denials: Denials, error: AppError, attempt: Attempt): void {
  const { code, subject } = error;
  if (code !== 'UNAUTHORIZED' && code !== 'FORBIDDEN' && code !== 'TOO_MANY_REQUESTS') return;
  if (told.has(error)) return;
  told.add(error);
  const { action, from } = attempt;
  const { workspaceId, emailKey, ...actor } = subject ?? {
    ...attempt.actor,
    workspaceId: attempt.workspaceId,
    emailKey: undefined,
  };
  const { requestId, address } = from;
  denials.lines.note({ requestId, action, code, reason: error.message, actor, workspaceId, address });
  if (code === 'FORBIDDEN' || subject) {
    const isThrottle = code === 'TOO_MANY_REQUESTS';
    const audited = isThrottle ? 'auth.throttle' : action;
    denials.note({ action: audited, actor, workspaceId, target: null, from, emailKey });
  }
}
