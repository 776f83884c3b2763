import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Secret } from 'otpauth';
import type { Database } from '#server/db/client.ts';
import { recoveryCodes } from '#server/db/schema/accounts.ts';

/** What signs in where the app that makes codes is lost: ten codes of 120 random bits, each good once. */
const codesCount = 10;
const codeBytes = 15;
const codePattern = /^[a-z2-7]{24}$/;

/** Takes the place of all former ones. The codes' only place is the answer. */
export async function replaceRecoveryCodes(
  tx: Database,
  { userId, now }: { userId: number; now: Date },
): Promise<string[]> {
  const codes = Array.from({ length: codesCount }, () =>
    new Secret({ size: codeBytes }).base32.toLowerCase(),
  );
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ id: hashCode(code), userId, createdAt: now })));
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
}

/** How a code is stored, however it was typed. Null: it is none. */
export function recoveryCodeId(typed: string): string | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return codePattern.test(code) ? hashCode(code) : null;
}

/** Plain SHA-256 is right here, since there is nothing to guess. */
function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
