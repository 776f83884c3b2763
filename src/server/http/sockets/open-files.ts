/** Kept for what is not a caller's connection: the database, threads, index files, uploads. */
const keptForOthers = 100;

/**
 * How many connections may be open at once, so that this process never runs out of descriptors: at most `wanted`, and three quarters of
 * what the system allows (`ulimit -n`).
 */
export function connectionsThatFit(wanted: number, allowed: number = openFilesMax()): number {
  const fitting = Math.min(Math.floor(allowed * 0.75), allowed - keptForOthers);
  return Math.max(1, Math.min(wanted, fitting));
}

/** Infinity where the system sets no limit or does not say. */
function openFilesMax(): number {
  // Otherwise it looks up the names of all who are connected.
  Object.assign(process.report, { excludeNetwork: true });
  const report = withoutStack(() => process.report.getReport()) as {
    userLimits?: { open_files?: { soft?: unknown } };
  };
  const limit = Number(report.userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Number.POSITIVE_INFINITY;
}

/** For the stack of whoever asks, which is part of a report, all of the source map would be read and kept: a fifth of what a start computes. */
function withoutStack<T>(task: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return task();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
