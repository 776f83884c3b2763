import type { ApiKey } from '#shared/api-keys.ts';

export function hasExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now = Date.now()): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
