import { AsyncLocalStorage } from 'node:async_hooks';
import { type EvaluateParts, evaluateRules } from './evaluate-rules.ts';

/** Metrics are of whole minutes: a rule is judged soon after each. */
const everyMs = 20_000;

/** Looks at all rules on a timer, one server of those on a record, one run at a time; `stop` waits for the one under way. */
export function startAlerts(parts: EvaluateParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let isFailing = false;
  const run = async () => {
    try {
      // Two servers would resolve and raise in turn what only the last requests of one of them have brought about.
      if (await parts.record.servers.leads('alerts')) await evaluateRules(parts, stopping.signal);
      isFailing = false;
    } catch (error) {
      // Told once: the record may be away for hours.
      if (!isFailing)
        parts.log.warn('alert rules were not looked at; they are again at the next turn', { error });
      isFailing = true;
    } finally {
      running = null;
    }
  };
  const onTime = () => {
    running ??= run();
  };
  const timer = AsyncLocalStorage.snapshot()(() => setInterval(onTime, everyMs).unref());
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
