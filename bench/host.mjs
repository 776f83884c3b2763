/**
 * A contender in a process of its own, so that its memory is its own: `node host.mjs contenders/<name>.mjs`. Reads calls as lines of JSON from standard input and
 * answers each by a line on file descriptor 3, which nothing else writes to.
 *
 *   {"call": "load", …what the contender takes}  → {"seconds", "processorSeconds", "documents", "peakMb"}
 *   {"call": "ask", "kind", "questions", "wantsIds", "msMax"} → {"micros": [one a question], "ids": [[…]] or null}; no question is begun after `msMax`, if that is told
 *
 * A contender exports `load(given)`, which answers how many documents it holds, and `ask(question, kind)`, which answers ids, best first; one that started
 * something else exports `stop()`.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const contender = await import(new URL(process.argv[2], import.meta.url));
const answers = createWriteStream('', { fd: 3 });

const calls = {
  async load(given) {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    const documents = await contender.load(given);
    const { user, system } = process.cpuUsage(before);
    return {
      documents,
      seconds: (performance.now() - startedAt) / 1000,
      processorSeconds: (user + system) / 1e6,
      peakMb: peakMegabytes(),
    };
  },
  async ask({ kind, questions, wantsIds, msMax = Number.POSITIVE_INFINITY }) {
    const micros = [];
    const ids = [];
    const until = performance.now() + msMax;
    for (const question of questions) {
      const startedAt = performance.now();
      if (startedAt > until) break;
      // What answers at once must not pay for a promise.
      const answer = contender.ask(question, kind);
      const found = answer instanceof Promise ? await answer : answer;
      micros.push((performance.now() - startedAt) * 1000);
      if (wantsIds) ids.push(found);
    }
    return { micros, ids: wantsIds ? ids : null };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...given } = JSON.parse(line);
  answers.write(`${JSON.stringify(await calls[call](given))}\n`);
}
await contender.stop?.();

/** Linux only; elsewhere 0. */
function peakMegabytes() {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]) / 1024);
  } catch {
    return 0;
  }
}
