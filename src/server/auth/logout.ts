import type { Origin } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { AuthParts } from './auth-parts.ts';
import type { UserPrincipal } from './principal.ts';

/** `from` is absent where a sign-in ends the session, which has an entry of its own. */
export async function logout(
  { sessions, log, clock }: AuthParts,
  { userId, sessionId }: UserPrincipal,
  from?: Origin,
): Promise<void> {
  if (!from) return await sessions.end(sessionId);
  const actor = { kind: 'user', id: userId } as const;
  const act = { at: clock(), action: 'auth.logout', actor, workspaceId: null, target: null, from };
  await sessions.end(sessionId, (tx) => writeAuditEntry(tx, act));
  log.info('logout', { userId, requestId: from.requestId, address: from.address });
}
