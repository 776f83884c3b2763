import { createHash, randomBytes } from 'node:crypto';
import type { Settings } from '#server/env.ts';
import { limits } from '#shared/limits.ts';

const tokenBytes = 32;
const dayMs = 24 * 60 * 60 * 1000;

/** The token's only place is in the link. */
export function makeInvitationLink(now: Date): { token: string; tokenHash: string; expiresAt: Date } {
  const token = randomBytes(tokenBytes).toString('base64url');
  const expiresAt = new Date(now.getTime() + limits.invitationDays * dayMs);
  return { token, tokenHash: hashInvitationToken(token), expiresAt };
}

/** Plain SHA-256 is right here, since there is nothing to guess. */
export function hashInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Where people open it. */
export function invitationUrl(
  { publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>,
  token: string,
): string {
  return `${publicUrl ?? `http://${host}:${port}`}/invitations/${token}`;
}
