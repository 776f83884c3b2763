/** Does not compile when Node's globals reach the console. */

// @ts-expect-error A browser has no Buffer.
export type NoBuffer = typeof Buffer;

// @ts-expect-error A browser has no process.
export type NoProcess = typeof process;
