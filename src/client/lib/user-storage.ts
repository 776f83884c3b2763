/**
 * What the browser keeps for whoever is signed in, by name and user. It is gone when they sign out. Storage may be forbidden or full: then nothing is
 * kept, and nothing is found.
 */
const prefix = 'ofUser:';
const keyOf = (name: string, userId: number) => `${prefix}${userId}:${name}`;

/** `tab`: of this tab alone, as long as it is open. */
type Place = 'browser' | 'tab';
const storageOf = (place: Place) => (place === 'tab' ? sessionStorage : localStorage);

/** As it was written, or as somebody else has left it; undefined: nothing. */
export function readForUser(name: string, userId: number, place: Place = 'browser'): unknown {
  try {
    return JSON.parse(storageOf(place).getItem(keyOf(name, userId)) ?? 'null') ?? undefined;
  } catch {
    return undefined; // As above.
  }
}

/** `undefined`: nothing of it is kept. */
export function writeForUser(name: string, userId: number, value: unknown, place: Place = 'browser'): void {
  try {
    if (value === undefined) storageOf(place).removeItem(keyOf(name, userId));
    else storageOf(place).setItem(keyOf(name, userId), JSON.stringify(value));
  } catch {
    // As above.
  }
}

/** Of all users: whoever is next shall find nothing. */
export function forgetUsers(): void {
  for (const place of ['browser', 'tab'] as const) forgetIn(place);
}

function forgetIn(place: Place): void {
  try {
    const storage = storageOf(place);
    for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
  } catch {
    // As above.
  }
}
