/**
 * What becomes of searches while many times more are asked than can be done: starts the built server on a fresh embedded database with its
 * default settings, loads films, finds out how many hybrid searches a second it does at best, and asks for many times as many at a fixed
 * rate, whether answers come or not. One key asks, from this process; what it takes of a core is told with the figures (`callerCores`). Its connections are
 * opened by the flood itself, or before it (`--connected`), as those of callers are that keep theirs.
 *
 *   DATASETS_DIR=… node scripts/measure-overload.mjs [--films 4000] [--times 10] [--connections 500] [--connected] [--seconds 20] [--set NAME=value …] [--json figures.json]
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { queries } from './films.mjs';
import { measureServer, readOptions } from './load-run.mjs';
import {
  createAsker,
  firstFilms,
  newTenant,
  processorMs,
  residentMegabytes,
  round,
  summary,
} from './load-tools.mjs';

const options = readOptions({
  seconds: 20,
  times: { type: 'string', default: '10' },
  connections: { type: 'string', default: '500' },
  connected: { type: 'boolean', default: false },
});
const warmUpMs = 5_000;
const closedLoopMs = 5_000;
const recoveryMs = 20_000;
const inARow = 20;
const sentAtOnce = 20;
/** The server lets a burst in before it knows that it is a flood. */
const burstMs = 500;

let asked = 0;
const nextSearch = () => {
  asked += 1;
  return `/api/collections/films/hybrid-search?q=${encodeURIComponent(queries[asked % queries.length])}`;
};

await measureServer(options, async ({ url, pid }) => {
  const key = await newTenant(url, await firstFilms(options.films));
  const asker = createAsker(url, { 'X-API-Key': key }, Number(options.connections));
  const figures = await measure(asker, pid);
  asker.close();
  console.log(JSON.stringify(figures, null, 2));
  return figures;
});

async function measure({ ask, connectAll, giveUp }, pid) {
  await closedLoop(ask, 2, warmUpMs);
  const idle = (await closedLoop(ask, 1, closedLoopMs)).times;
  let best = 0;
  let bestMsEach = null;
  for (const clients of [2, 4, 6]) {
    const before = processorMs(pid);
    const { perSecond, times } = await closedLoop(ask, clients, closedLoopMs);
    if (perSecond > best) [best, bestMsEach] = [perSecond, msEach(before, processorMs(pid), times.count)];
  }
  const rest = residentMegabytes(pid);
  const rate = Math.round(best * Number(options.times));
  if (options.connected) await connectAll();
  const before = processorMs(pid);
  const flood = await openLoop(ask, { perSecond: rate, forMs: options.seconds * 1000, pid });
  const floodMsEach = msEach(before, processorMs(pid), flood.admitted.count);
  giveUp();
  const backAfterMs = await recovery(ask, idle.p99);
  return {
    idle,
    bestPerSecond: round(best),
    askedPerSecond: rate,
    goodputPerSecond: round(flood.perSecond),
    goodputShare: Math.round((100 * flood.perSecond) / best) / 100,
    processorMsEach: { best: bestMsEach, flood: floodMsEach },
    admitted: flood.admitted,
    admittedAfterBurst: flood.admittedAfterBurst,
    admittedSinceDue: flood.admittedSinceDue,
    admittedP99ToIdle: round(flood.admitted.p99 / idle.p99),
    admittedAfterBurstP99ToIdle: round(flood.admittedAfterBurst.p99 / idle.p99),
    turnedAway: flood.turnedAway,
    statuses: flood.statuses,
    inFlightMax: flood.inFlightMax,
    callerCores: flood.callerCores,
    memoryMB: { rest, peak: flood.memoryPeak },
    backAfterMs,
  };
}

/** What the server took of processors for each search that was answered, refusals and all. */
function msEach(before, after, count) {
  return { all: round((after.all - before.all) / count), main: round((after.main - before.main) / count) };
}

/** So many clients, each asking anew when it was answered. */
async function closedLoop(ask, clients, forMs) {
  const startedAt = performance.now();
  const times = [];
  const client = async () => {
    while (performance.now() - startedAt < forMs) {
      const { status, ms } = await ask(nextSearch());
      if (status === 200) times.push(ms);
      else await sleep(10);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { times: summary(times), perSecond: (times.length * 1000) / (performance.now() - startedAt) };
}

/**
 * Asks at the rate, whether answers come or not. A request is sent once a connection is free for it: beside its time from there it is told
 * how long it took since it was due.
 */
async function openLoop(ask, { perSecond, forMs, pid }) {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const admitted = [];
  const admittedAfterBurst = [];
  const admittedSinceDue = [];
  const turnedAway = [];
  const statuses = {};
  const under = new Set();
  let inFlightMax = 0;
  let memoryPeak = 0;
  let answeredInTime = 0;
  const watch = setInterval(() => {
    memoryPeak = Math.max(memoryPeak, residentMegabytes(pid));
  }, 250);
  for (let sent = 0; sent < (perSecond * forMs) / 1000; ) {
    const due = ((performance.now() - startedAt) * perSecond) / 1000;
    for (const until = Math.min(due, sent + sentAtOnce); sent < until; sent += 1) {
      const asking = ask(nextSearch(), startedAt + (sent * 1000) / perSecond).then(
        ({ status, ms, sentMs }) => {
          under.delete(asking);
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (status === 200) {
            admitted.push(sentMs);
            if (performance.now() - sentMs - startedAt > burstMs) admittedAfterBurst.push(sentMs);
            admittedSinceDue.push(ms);
          } else if (status !== 0) turnedAway.push(sentMs);
          if (status === 200 && performance.now() - startedAt <= forMs) answeredInTime += 1;
        },
      );
      under.add(asking);
    }
    inFlightMax = Math.max(inFlightMax, under.size);
    // Answers are read in between, however late it is.
    await (sent < due ? nextTurn() : sleep(1));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const still = new Set(under);
  void Promise.allSettled(still).then(() => clearInterval(watch));
  return {
    perSecond: answeredInTime / seconds,
    admitted: summary(admitted),
    admittedAfterBurst: summary(admittedAfterBurst),
    admittedSinceDue: summary(admittedSinceDue),
    turnedAway: summary(turnedAway),
    statuses,
    inFlightMax,
    callerCores: round((user + system) / 1e6 / seconds),
    memoryPeak,
  };
}

/** Milliseconds after the flood until searches are answered as when idle, so many in a row; null: not within the time looked at. */
async function recovery(ask, idleP99) {
  const endedAt = performance.now();
  let since = null;
  let good = 0;
  while (performance.now() - endedAt < recoveryMs) {
    const at = performance.now() - endedAt;
    const { status, ms } = await ask(nextSearch());
    if (status === 200 && ms <= 2 * idleP99) {
      since ??= at;
      good += 1;
      if (good === inARow) return Math.round(since);
    } else {
      since = null;
      good = 0;
    }
    await sleep(20);
  }
  return null;
}
