import { z } from 'zod';
import { givenPassword, signedInShape } from './accounts.ts';
import { atMost } from './fields.ts';

/** What signing in answers: somebody is signed in, or a code is asked for next (`auth.secondStep`). */
export const loginShape = z.union([
  signedInShape,
  z.object({ user: z.null(), secondFactor: z.literal('required') }),
]);
export type LoginAnswer = z.output<typeof loginShape>;

export interface SecondFactor {
  isOn: boolean;
  recoveryCodesLeft: number;
}

/** What an authenticator app takes: the secret typed in, or the URI as a QR code. */
export interface SecondFactorStart {
  secret: string;
  uri: string;
}

/** Shown once. */
export interface RecoveryCodes {
  recoveryCodes: string[];
}

const codeCharactersMax = 64;

/** Six digits, or a recovery code. */
const code = z.string().trim().min(1, 'is required').max(codeCharactersMax, atMost(codeCharactersMax));

export const secondStep = z.strictObject({ code });
export const secondFactorStart = z.strictObject({ password: givenPassword });
export const secondFactorChange = z.strictObject({ password: givenPassword, code });

export type SecondStep = z.infer<typeof secondStep>;
