/**
 * What the browser keeps for whoever is signed in, by name and user. It is gone when they sign out. Storage may be forbidden or full: then nothing is
 * kept, and nothing is found.
 */
const prefix = 'ofUser:';
const keyOf = (name: string, userId: number) => `${prefix}${userId}:${name}`;

/** As it was written, or as somebody else has left it; undefined: nothing. */
export function readForUser(name: string, userId: number): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name, userId)) ?? 'null') ?? undefined;
  } catch {
    return undefined; // As above.
  }
}

export function writeForUser(name: string, userId: number, value: unknown): void {
  try {
    localStorage.setItem(keyOf(name, userId), JSON.stringify(value));
  } catch {
    // As above.
  }
}

/** Of all users: whoever is next shall find nothing. */
export function forgetUsers(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // As above.
  }
}
