/** Where a request goes: an address of this server's API, with or without its origin; null: it is none. */
export function requestPath(typed: string): string | null {
  const { origin } = window.location;
  let url: URL;
  try {
    url = new URL(typed.trim(), origin);
  } catch {
    return null; // Not an address at all.
  }
  const isOwn = url.origin === origin && url.pathname.startsWith('/api/');
  return isOwn ? `${url.pathname}${url.search}` : null;
}

/** A part of an address, as readable as it may be. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%3E', '>');
}
