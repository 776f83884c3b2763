import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A child that does not outlive this process, unless that is killed without a word. */
export function endWithThis(child) {
  const end = () => child.kill('SIGKILL');
  process.on('exit', end);
  child.once('exit', () => process.off('exit', end));
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** A signal first runs `stop`, as the end of what this process does by itself would. @returns forgets that */
export function stopAtSignal(stop) {
  const handlers = Object.entries(signals).map(([signal, number]) => {
    const handle = () => void stop().finally(() => process.exit(128 + number));
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  return () => {
    for (const forget of handlers) forget();
  };
}

/**
 * A folder that is thrown away, and what is started in it: `closers` are run in turn, the last one first, by `stop` or a signal, which may come while more is started.
 * @param prefix of the folder's name
 */
export async function openThrowaway(prefix) {
  const folder = await mkdtemp(path.join(tmpdir(), prefix));
  const closers = [];
  const close = async () => {
    // What is started meanwhile too.
    for (let last = closers.pop(); last !== undefined; last = closers.pop()) await last();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    forgetSignals();
  };
  let stopping = null;
  const stop = () => {
    stopping ??= close();
    return stopping;
  };
  // Nodes and servers are no children that end with this process.
  const forgetSignals = stopAtSignal(stop);
  return { folder, closers, stop, isStopping: () => stopping !== null };
}
