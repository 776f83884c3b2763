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
