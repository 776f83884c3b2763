import { Secret, TOTP } from 'otpauth';

/** Codes by the time (RFC 6238) as authenticator apps make them unless told otherwise: six digits, 30 seconds, HMAC-SHA-1. */
const issuer = 'Vectora';
const stepMs = 30_000;
const secretBytes = 20;

/** In base32, as apps take it. */
export function makeTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What a QR code for the app holds. */
export function totpUri(secret: string, accountName: string): string {
  return new TOTP({ issuer, label: accountName, secret }).toString();
}

/** The 30 seconds, counted from 1970, that a code belongs to: those of now, or the ones before or after. Null: to none of them. */
export function findStep(secret: string, { code, now }: { code: string; now: Date }): number | null {
  const delta = new TOTP({ secret }).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / stepMs) + delta;
}
