/**
 * Calls `onSilence` once when `beatsMissedMax` beats in a row found no answer to the beat before. Beats are counted instead of time, so
 * that a machine that slept does not look like a database that hangs.
 */
export interface Watchdog {
  /** Something was heard. */
  answered(): void;
  stop(): void;
}

export interface WatchdogOptions {
  beatMs: number;
  beatsMissedMax: number;
  ask: () => void;
  onSilence: () => void;
}

export function startWatchdog({ beatMs, beatsMissedMax, ask, onSilence }: WatchdogOptions): Watchdog {
  let isAnswered = true;
  let missed = 0;
  const timer = setInterval(() => {
    missed = isAnswered ? 0 : missed + 1;
    isAnswered = false;
    if (missed >= beatsMissedMax) {
      clearInterval(timer);
      onSilence();
    } else ask();
  }, beatMs);
  timer.unref();
  return {
    answered: () => {
      isAnswered = true;
    },
    stop: () => clearInterval(timer),
  };
}
