/**
 * Measures how long the main thread of a server was held up. Put it in front of the server:
 *
 *   NODE_OPTIONS="--import ./scripts/event-loop-delay.mjs" npm start
 *
 * and send the process SIGUSR2: it prints, since the last time, the event-loop delay, the longest turns of the loop and the memory, in
 * milliseconds and megabytes. A turn's own processor time (Linux only) tells our work from waiting for a busy machine.
 */
import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const longTurnMs = 20;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let rssPeak = 0;
  setInterval(() => {
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
  }, 100).unref();

  const cpuMs = threadClock();
  let turns = newTurns();
  let last = { wall: performance.now(), cpu: cpuMs() };
  const turn = () => {
    const now = { wall: performance.now(), cpu: cpuMs() };
    const cpu = now.cpu - last.cpu;
    turns.wallMax = Math.max(turns.wallMax, now.wall - last.wall);
    turns.cpuMax = Math.max(turns.cpuMax, cpu);
    if (cpu > longTurnMs) turns.long += 1;
    last = now;
    // Not by an immediate, which would come behind another step's: one timer a round, so that a turn is one round of the loop.
    setTimeout(turn, 0).unref();
  };
  turn();

  process.on('SIGUSR2', () => {
    const ms = (value) => Math.round(value * 100) / 100;
    const mb = (bytes) => Math.round(bytes / 2 ** 20);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    process.stderr.write(
      `event loop delay ms: p50 ${ms(delay.percentile(50) / 1e6)}, p99 ${ms(delay.percentile(99) / 1e6)}, max ${ms(delay.max / 1e6)}; ` +
        `longest turn ms: wall ${ms(turns.wallMax)}, processor ${ms(turns.cpuMax)}, over ${longTurnMs} of it: ${turns.long}; ` +
        `MB: rss ${mb(process.memoryUsage.rss())}, rss peak ${mb(rssPeak)}, heap ${mb(heapUsed)}, buffers ${mb(arrayBuffers)}\n`,
    );
    delay.reset();
    turns = newTurns();
  });
}

function newTurns() {
  return { wallMax: 0, cpuMax: 0, long: 0 };
}

/** The main thread's processor time in milliseconds; NaN where the system does not tell. */
function threadClock() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
    const text = Buffer.alloc(64);
    return () => {
      const length = readSync(file, text, 0, text.length, 0);
      return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
    };
  } catch {
    // No such file outside Linux: wall time alone then.
    return () => Number.NaN;
  }
}
