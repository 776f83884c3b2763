/** Pages of other sites may call with a key, which they hold themselves; never with a cookie. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, X-Request-Id, X-Total-Count, X-Import-Id, Retry-After, RateLimit, RateLimit-Policy',
};

export function preflightHeaders(methods: string[]): Record<string, string> {
  return {
    ...corsHeaders,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers':
      'Content-Type, Content-Encoding, Idempotency-Key, If-Match, X-API-Key, Authorization',
    'Access-Control-Max-Age': '7200',
  };
}
