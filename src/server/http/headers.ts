import type { Settings } from '#server/env.ts';

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

/** On every answer, unless its handler has set another value. */
export function setSecurityHeaders(headers: Headers, isHttps: boolean): void {
  const defaults: Record<string, string> = {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cache-Control': 'no-store',
  };
  if (isHttps) defaults['Strict-Transport-Security'] = `max-age=${hstsSeconds}`;
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value);
}

export function isHttps(headers: Headers, settings: Pick<Settings, 'publicUrl' | 'trustProxy'>): boolean {
  if (settings.publicUrl) return settings.publicUrl.startsWith('https:');
  return settings.trustProxy && headers.get('x-forwarded-proto') === 'https';
}

/** Browsers elsewhere may call with a key, which a page has to hold itself; never with a cookie. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
};

export function preflightHeaders(methods: string[]): Record<string, string> {
  return {
    ...corsHeaders,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Content-Type, X-API-Key, Authorization',
    'Access-Control-Max-Age': '7200',
  };
}
