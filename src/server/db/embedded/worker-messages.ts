/** What the main thread and the embedded database's thread say to each other. */

export interface WorkerStart {
  /** PGlite's own folder. */
  folder: string;
  socketPath: string;
}

export type ToWorker = 'ping' | 'stop';
export type FromWorker = 'ready' | 'pong' | 'stopped';
