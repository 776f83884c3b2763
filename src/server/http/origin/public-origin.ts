import type { Settings } from '#server/env.ts';
import type { HeaderReader } from '../header-reader.ts';

/**
 * The origin under which this request's caller reaches us, `https://search.example`; null when it cannot be told. HSTS, the Secure cookie
 * and the origin check all ask here.
 */
export function publicOrigin(
  settings: Pick<Settings, 'publicUrl' | 'trustProxy'>,
  headers: HeaderReader,
): string | null {
  if (settings.publicUrl) return new URL(settings.publicUrl).origin;
  // Without a public address any name that leads here is ours, so the Host header decides.
  const host = headers.get('host');
  if (host === null) return null;
  // The proxy nearest to us appends last.
  const scheme = settings.trustProxy ? headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim() : 'http';
  return `${scheme === 'https' ? 'https' : 'http'}://${host}`;
}

export function isHttps(
  settings: Pick<Settings, 'publicUrl' | 'trustProxy'>,
  headers: HeaderReader,
): boolean {
  return publicOrigin(settings, headers)?.startsWith('https:') ?? false;
}
