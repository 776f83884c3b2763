/** Does not compile when the browser's globals reach the server. */

// @ts-expect-error A server has no page.
export type NoDocument = typeof document;

// @ts-expect-error A server has no window.
export type NoWindow = typeof window;
