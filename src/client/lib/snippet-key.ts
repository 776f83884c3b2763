import type { ApiKey, Permission } from '#shared/api-keys.ts';
import { hasExpired } from './has-expired.ts';

/** In place of a key in code. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** Whether the key may do this in the collection; null: in all of its project. */
export function mayCall(key: ApiKey, permission: Permission, collection: { name: string } | null): boolean {
  const isOpen =
    key.collections === null || (collection !== null && key.collections.includes(collection.name));
  return key.isActive && !hasExpired(key) && isOpen && key.permissions.includes(permission);
}

/**
 * The key that code is filled with: the chosen one (null: none), else one that can do no more than read. Code is pasted where others see it, so
 * that a key that writes is never there unasked.
 */
export function pickKey(fitting: ApiKey[], chosen: number | null | undefined): ApiKey | null {
  if (chosen === null) return null;
  const asked = fitting.find(({ id }) => id === chosen);
  return asked ?? fitting.find(({ permissions }) => !permissions.includes('write')) ?? null;
}

/** "Website (read and write)" */
export function keyLabel({ name, permissions }: ApiKey): string {
  return `${name} (${permissions.join(' and ')})`;
}

/** What a toast says of the key in code that was copied. */
export function keyNote(apiKey: ApiKey | null): string {
  return apiKey
    ? `It uses the ${apiKey.permissions.join(' and ')} key “${apiKey.name}”.`
    : `Put a key in place of ${keyPlaceholder}.`;
}
