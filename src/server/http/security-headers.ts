import { corsHeaders } from '#server/wire/cors.ts';

/** Two years, which is what browsers' preload lists ask for. */
const hstsSeconds = 63_072_000;

const pagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The console's page: scripts and styles of our own only; Mantine's style tags carry the nonce. */
export function pageHeaders(nonce: string): Record<string, string> {
  return { 'Content-Security-Policy': pagePolicy(nonce) };
}

const overHttp = {
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cache-Control': 'no-store',
};
const overHttps = { ...overHttp, 'Strict-Transport-Security': `max-age=${hstsSeconds}; includeSubDomains` };

/** On every answer, unless the answer says otherwise. */
export function securityHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return isHttps ? overHttps : overHttp;
}

const withPlaces = (isHttps: boolean, more: Record<string, string>) => ({
  ...(isHttps ? overHttps : overHttp),
  ...more,
  'X-Request-Id': '',
});
/** To add a name to a copy takes ten times as long as a copy with a place for it. */
const places = {
  http: { own: withPlaces(false, {}), open: withPlaces(false, corsHeaders) },
  https: { own: withPlaces(true, {}), open: withPlaces(true, corsHeaders) },
};

/** The same of one request, to be added to; open: pages of other sites may read the answer. */
export function requestHeaders(
  requestId: string,
  { isHttps, isOpen }: { isHttps: boolean; isOpen: boolean },
): Record<string, string> {
  const headers = { ...places[isHttps ? 'https' : 'http'][isOpen ? 'open' : 'own'] };
  headers['X-Request-Id'] = requestId;
  return headers;
}
