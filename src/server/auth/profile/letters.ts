import type { Settings } from '#server/env.ts';
import { type EmailLink, emailLinkUrl } from './email-links.ts';

interface Letter {
  to: string;
  subject: string;
  text: string;
}

export function linkLetter(
  settings: Pick<Settings, 'publicUrl' | 'host' | 'port'>,
  { token, email, expiresAt }: EmailLink,
): Letter {
  return {
    to: email,
    subject: 'Confirm your new email for Vectora',
    text: `Somebody, perhaps you, wants to sign in to Vectora with this address from now on.

Confirm it here, once and until ${expiresAt.toUTCString()}:

${emailLinkUrl(settings, token)}

If it was not you, there is nothing to do: no account has this address.
`,
  };
}

/** To the former address: whoever reads it may be the account's owner, and the other one somebody else. */
export function movedLetter({ from, to }: { from: string; to: string }): Letter {
  return {
    to: from,
    subject: 'The email of your Vectora account was changed',
    text: `Your account's email is ${to} from now on. You sign in with it, and letters go there.

If it was not you, ask whoever runs the server for help: somebody knows your password.
`,
  };
}
