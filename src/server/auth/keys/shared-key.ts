import { timingSafeEqual } from 'node:crypto';
import { addressGroup } from '#server/admission/address.ts';
import { notFound } from '#server/errors.ts';
import type { KeyPrincipal, Principal } from '../principal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

type Calling = { deps: { secrets: Pick<SecretBox, 'sign'> }; principal: Principal };
type Begun = { id: number; createdAt: Date };

/** A key that only reads may stand in a page: many people share it, and none of them is to see what another one asked. */
export function isShared(principal: Principal): principal is KeyPrincipal {
  return principal.kind === 'key' && !principal.permissions.includes('write');
}

/** What a conversation of a shared key is reached by, beside its id: whoever began it alone is told. Null for other callers, who need none. */
export function conversationToken({ deps, principal }: Calling, { id, createdAt }: Begun): string | null {
  if (!isShared(principal)) return null;
  // Of a record that was put back an id may be another conversation's.
  return deps.secrets.sign('conversations', `${principal.keyId} ${id} ${createdAt.getTime()}`);
}

/** @throws AppError NOT_FOUND a shared key without the token, as where there is no such conversation */
export function assertToken(ctx: Calling, begun: Begun, shown: string | null | undefined): void {
  const token = conversationToken(ctx, begun);
  if (token === null) return;
  const [right, given] = [Buffer.from(token), Buffer.from(shown ?? '')];
  if (right.length !== given.length || !timingSafeEqual(right, given)) throw notFound('Conversation');
}

const namedCharacters = 22;

/**
 * Who of those that share a key began a conversation, by the address: a name that tells nobody the address, and is another one for each key. Null
 * for other callers.
 */
export function beginnerOf({ deps, principal }: Calling, address: string): string | null {
  if (!isShared(principal)) return null;
  return deps.secrets
    .sign('conversation beginners', `${principal.keyId} ${addressGroup(address)}`)
    .slice(0, namedCharacters);
}
