import { addressGroup } from '#server/admission/address.ts';
import { AppError } from '#server/errors.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { AuthParts } from '../auth-parts.ts';
import { identityKey } from '../identity.ts';
import { TurnQueue } from '../tries/turn-queue.ts';
import type { Visitor } from '../visitor.ts';
import { type IssuedReset, issueMailedToken, resetLinkUrl } from './reset-links.ts';

const lettersAtOnce = 4;
const waitingMax = 100;

/** Sends links that set a new password to those who ask for one. */
export interface ForgottenPasswords {
  readonly isMailed: boolean;
  /**
   * Returns before anything is looked up, so that neither answer nor time tells whether there is such an account. What fails is in the log.
   * @throws AppError UNPROCESSABLE (no mail is sent here), TOO_MANY_REQUESTS (from this address)
   */
  ask(email: string, from: Visitor): void;
  /** Waits for those that are being sent; those that wait are not sent any more. */
  close(): Promise<void>;
}

export function createForgottenPasswords(parts: AuthParts, mailer: Mailer | null): ForgottenPasswords {
  const { addressTries, log, monotonic } = parts;
  const refusal = 'Too many letters are on their way';
  const turns = new TurnQueue({ parallel: lettersAtOnce, waitingMax, refusal }, monotonic);
  const underWay = new Set<Promise<void>>();
  let isClosed = false;

  async function sendIfKnown(send: Mailer, email: string, from: Visitor): Promise<void> {
    const { requestId, address } = from;
    try {
      await turns.run({ address }, async () => {
        if (isClosed) throw new Error('the server stops');
        const issued = await issue(parts, email, from);
        if (!issued) return log.info('no reset link was due', { requestId, address });
        const { user } = issued;
        await send({ to: user.email, subject, text: letterOf(parts, issued) });
        log.info('a reset link was sent', { userId: user.id, requestId, address });
      });
    } catch (error) {
      log.warn('a reset link was not sent', { requestId, address, error });
    }
  }

  return {
    isMailed: mailer !== null,
    ask(email, from) {
      if (mailer === null)
        throw new AppError(
          'UNPROCESSABLE',
          'This server sends no mail; ask whoever runs it for a reset link',
        );
      addressTries.take(addressGroup(from.address));
      const sending = sendIfKnown(mailer, email, from).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async close() {
      isClosed = true;
      await Promise.all(underWay);
    },
  };
}

function issue({ record, clock }: AuthParts, email: string, from: Visitor): Promise<IssuedReset | null> {
  return record.write((tx) => issueMailedToken(tx, { emailKey: identityKey(email), now: clock(), from }));
}

const subject = 'Set a new password for Vectora';

function letterOf({ settings }: AuthParts, { token, expiresAt }: IssuedReset): string {
  return `Somebody, perhaps you, asked for a new password for your account.

Set one here, once and until ${expiresAt.toUTCString()}:

${resetLinkUrl(settings, token)}

If it was not you, there is nothing to do: your password is as it was.
`;
}
