import { statfs } from 'node:fs/promises';
import os from 'node:os';

/** How busy the machine is. Bytes; shares from 0 to 1. */
export interface HostMeasure {
  /** Of all processors since it was measured before; null: it is the first time. */
  cpu: number | null;
  processors: number;
  memory: Amount;
  /** Where the data lies; null: the system does not tell. */
  disk: Amount | null;
}

interface Amount {
  used: number;
  total: number;
}

interface ProcessorTimes {
  busyMs: number;
  allMs: number;
}

/** Measures the machine that this process runs on, or as much of its memory as the process may have. */
export class HostMeter {
  readonly #dataDir: string;
  #before: ProcessorTimes | null = null;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async measure(): Promise<HostMeasure> {
    const processors = os.cpus();
    const times = timesOf(processors);
    const before = this.#before;
    this.#before = times;
    return {
      cpu: before && shareOf(before, times),
      processors: processors.length,
      memory: memoryInUse(),
      disk: await diskInUse(this.#dataDir),
    };
  }
}

function timesOf(processors: os.CpuInfo[]): ProcessorTimes {
  const sum = { busyMs: 0, allMs: 0 };
  for (const { times } of processors) {
    const all = times.user + times.nice + times.sys + times.irq + times.idle;
    sum.allMs += all;
    sum.busyMs += all - times.idle;
  }
  return sum;
}

/** Null: no time went by. */
function shareOf(before: ProcessorTimes, now: ProcessorTimes): number | null {
  const allMs = now.allMs - before.allMs;
  return allMs > 0 ? Math.min(1, Math.max(0, (now.busyMs - before.busyMs) / allMs)) : null;
}

/** What could be given to somebody who asks, caches included, is not in use. */
function memoryInUse(): Amount {
  const machine = os.totalmem();
  const own = process.constrainedMemory();
  // Without a limit it is 0, or more than any machine has.
  const total = own > 0 && own < machine ? own : machine;
  return { used: Math.max(0, total - process.availableMemory()), total };
}

/** As `df` tells it: what is reserved for the system counts neither as used nor as free. */
async function diskInUse(folder: string): Promise<Amount | null> {
  try {
    const { bsize, blocks, bfree, bavail } = await statfs(folder);
    const used = (blocks - bfree) * bsize;
    return { used, total: used + bavail * bsize };
  } catch {
    return null;
  }
}
