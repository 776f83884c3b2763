import type { Auth } from '#server/auth/auth.ts';
import type { RequestHead } from '../request-head.ts';

/**
 * Under which somebody who is not signed in is counted: the address, or the account whose device it is, so that whoever floods from the same
 * address takes nothing of those who want to sign in where they have before. All devices of an account are one.
 */
export function strangerName(
  { address, device }: Pick<RequestHead, 'address' | 'device'>,
  auth: Pick<Auth, 'deviceAccount'>,
): string {
  const account = auth.deviceAccount(device);
  return account === null ? address : `device of ${account}`;
}
