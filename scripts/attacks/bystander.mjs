/** Another tenant, who searches all the while: whom an attack hurts can be seen by its waits. */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { askBeside } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const documents = 200;
const warmUps = 20;
const search = '/api/collections/things/hybrid-search?q=quiet+garden';
const pauseMs = 5;
/** It is measured for so long before each attack: what else a machine does changes within minutes. */
export const beforeMs = 2_000;
/** Beside an attack its searches may take so many times as long as before it. */
const timesMost = 3;
/**
 * And in any case 95 of a hundred as long as a slice of the engine's, a turn of the main thread and a wait for a processor take together, and the slowest as
 * long as some of these in a row: on a machine that nobody else uses. Where more threads want a processor than there are, all waits are so many times as long.
 */
const floorMs = 50;
const slowestFloorMs = 250;

/** A tenant of its own with some documents. */
export async function createBystander(target) {
  const bystander = await target.newcomer('bystander');
  await bystander.createCollection('things', 384);
  const lines = Array.from({ length: documents }, (_, i) =>
    JSON.stringify({ id: `d${i}`, title: `quiet garden ${i}` }),
  );
  const imported = await bystander.send(
    'POST',
    '/api/collections/things/documents/import',
    lines.join('\n'),
    {
      'content-type': 'application/x-ndjson',
    },
  );
  if (imported.status !== 200) throw new Error(`import: ${imported.status} ${imported.text}`);
  for (let i = 0; i < warmUps; i += 1) await bystander.send('GET', search);
  return { asked: { url: `${bystander.url}${search}`, headers: { 'x-api-key': bystander.key }, pauseMs } };
}

/**
 * Its searches, one after the other, before and while `work` runs, as `askBeside` tells of them. Before is alone, or beside `usual`, which takes two
 * seconds: as many callers who ask for nothing odd, where the attack is in what they ask.
 */
export async function searchesBeside({ asked }, work, usual = () => pause(beforeMs)) {
  const before = await askBeside(asked, usual);
  const crowd = Math.max(1, loadavg()[0] / availableParallelism());
  return { ...(await askBeside(asked, work)), before, crowd };
}

/** All of its searches are answered, and 95 of a hundred not much later than before; there should be some hundred of them. */
export function judgeBystander(attack, searches) {
  const { before, crowd, p95Ms } = searches;
  const most = Math.round(Math.max(floorMs * crowd, timesMost * before.p95Ms));
  judgeAtMost(
    `${attack}: 95 of 100 of another tenant’s searches, ${before.p95Ms} ms before`,
    most,
    p95Ms,
    'ms',
  );
  judgeSlowest(attack, searches);
}

/** All of its searches are answered, and none is held up for long; `leastMs`: where an attack may cost as much, whatever the machine. */
export function judgeSlowest(attack, searches, leastMs = slowestFloorMs * searches.crowd) {
  const { before, slowestMs, statuses } = searches;
  const most = Math.round(Math.max(leastMs, timesMost * before.slowestMs));
  const what = `${attack}: another tenant’s slowest search, ${before.slowestMs} ms before`;
  judgeAtMost(what, most, slowestMs, 'ms');
  judge(`${attack}: another tenant’s searches`, {
    expected: '200 always',
    found: tally(statuses),
    isFine: statuses.every((status) => status === 200),
  });
}
