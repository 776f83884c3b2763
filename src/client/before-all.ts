/**
 * The first import of `main.tsx`. Under the page's CSP zod must not try to compile code (its probe alone is a violation),
 * and the style tags of scroll locking need the nonce before they exist.
 */
import { config } from 'zod';
import { cspNonce } from './lib/csp-nonce.ts';

config({ jitless: true });

// `get-nonce`, inside Mantine's modals, looks for this global.
Object.assign(globalThis, { __webpack_nonce__: cspNonce });
