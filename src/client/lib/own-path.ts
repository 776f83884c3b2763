/** The search parameter that remembers which page a signed-out visitor asked for. */
export interface RedirectSearch {
  redirect?: string | undefined;
}

/**
 * A path of this origin, or nothing: `//evil.example`, `/\evil.example` and `https:` addresses are other people's.
 * Resolved the way the browser will resolve it, so that what is checked is what is visited.
 */
export function ownPath(value: unknown, origin = window.location.origin): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/')) return undefined;
  if (!URL.canParse(value, origin)) return undefined;
  const url = new URL(value, origin);
  return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

export function validateRedirectSearch(search: Record<string, unknown>): RedirectSearch {
  // Named even where it is refused: what a route leaves out, the router fills in from the address as it stands.
  return { redirect: ownPath(search['redirect']) };
}
