/**
 * Measures how long the main thread of a server was held up. Put it in front of the server:
 *
 *   NODE_OPTIONS="--import ./scripts/event-loop-delay.mjs" npm start
 *
 * and send the process SIGUSR2: it prints the delays since the last time, in milliseconds, and its memory.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let rssPeak = 0;
  setInterval(() => {
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
  }, 100).unref();
  process.on('SIGUSR2', () => {
    const ms = (nanoseconds) => Math.round(nanoseconds / 1e4) / 100;
    const mb = (bytes) => Math.round(bytes / 2 ** 20);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    process.stderr.write(
      `event loop delay ms: p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, max ${ms(delay.max)}; ` +
        `MB: rss ${mb(process.memoryUsage.rss())}, rss peak ${mb(rssPeak)}, heap ${mb(heapUsed)}, buffers ${mb(arrayBuffers)}\n`,
    );
    delay.reset();
  });
}
