/**
 * The first import of `main.tsx`. Under the page's CSP zod must not try to compile code (its probe alone is a violation),
 * and the style tags of scroll locking need the nonce before they exist.
 */
import { cspNonce } from './lib/csp-nonce.ts';

Object.assign(globalThis, {
  // What `config({ jitless: true })` sets, without zod itself: it is fetched with the first form.
  __zod_globalConfig: { jitless: true },
  // `get-nonce`, inside Mantine's modals, looks for this global.
  __webpack_nonce__: cspNonce,
});
