/** Whether the browser has a network; what runs outside of one is taken to have it. */
export function isOnline(): boolean {
  return globalThis.navigator?.onLine !== false;
}
