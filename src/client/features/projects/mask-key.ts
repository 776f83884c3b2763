import type { ApiKey } from '#shared/api-keys.ts';

/** 32 bullets and the last four characters. */
export function maskKey(lastFour: string): string {
  return '•'.repeat(32) + lastFour;
}

export function hasExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now = Date.now()): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
