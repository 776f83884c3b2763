/**
 * Reads single parameters of an address. What cannot be read falls back, so that no link breaks. Plain functions: the
 * routes' schemas are in the first load of every page, where a schema library has no place.
 */

/** The router reads `?q=42` as a number; to a text it is still what was typed. */
export function textParam(value: unknown, charactersMax: number): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.length <= charactersMax ? text : '';
}

export function choiceParam<T extends string>(value: unknown, choices: readonly T[], fallback: T): T {
  return choices.find((choice) => choice === value) ?? fallback;
}

/** Both ends are included. */
export function numberParam(value: unknown, range: { min: number; max: number; fallback: number }): number {
  const isIn = typeof value === 'number' && value >= range.min && value <= range.max;
  return isIn ? value : range.fallback;
}

export function wholeParam(value: unknown, range: { min: number; max: number; fallback: number }): number {
  return Number.isSafeInteger(value) ? numberParam(value, range) : range.fallback;
}

/** A list of texts; absent where it is something else, or too long. */
export function textListParam(
  value: unknown,
  range: { items: number; characters: number },
): string[] | undefined {
  if (!Array.isArray(value) || value.length > range.items) return undefined;
  const isRead = value.every((item) => typeof item === 'string' && item.length <= range.characters);
  return isRead ? value : undefined;
}

/** Lists of texts by name; the whole falls back when a part of it is something else. */
export function textListsParam(value: unknown, itemsMax: number): Record<string, string[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const lists = Object.entries(value);
  const isRead = lists.every(
    ([, list]) =>
      Array.isArray(list) && list.length <= itemsMax && list.every((item) => typeof item === 'string'),
  );
  return isRead ? Object.fromEntries(lists) : {};
}

/** An entity's id in a path. What is no number is asked for as 0, which nothing bears: not found, like any unknown id. */
export const idParam = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);
