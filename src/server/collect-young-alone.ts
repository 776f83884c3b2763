import { setFlagsFromString } from 'node:v8';

/** Whether other threads help a thread with its young garbage, and whether they give back the memory of its dead buffers. */
export const helpers = ['parallel-scavenge', 'concurrent-array-buffer-sweeping'];

/**
 * From now on each thread collects its youngest garbage by itself. Of a request hardly anything survives: to wake others for it costs more than they spare,
 * beside a search as much as `GET /health` does. Old garbage is still marked by others meanwhile. Before threads are started, which look at the same flags.
 */
export function collectYoungAlone(): void {
  for (const helper of helpers) setFlagsFromString(`--no-${helper}`);
}
