/** The page's style nonce, which the server puts into a meta tag; empty in development. */
export const cspNonce: string =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
