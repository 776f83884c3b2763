/** Another tenant, who searches all the while: whom an attack hurts can be seen by its waits. */
import { setTimeout as pause } from 'node:timers/promises';

const documents = 200;
const warmUps = 20;

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
  const search = () => bystander.send('GET', '/api/collections/things/hybrid-search?q=quiet+garden');
  for (let i = 0; i < warmUps; i += 1) await search();
  let idleMs = 0;
  for (let i = 0; i < 50; i += 1) idleMs = Math.max(idleMs, (await search()).tookMs);
  return { search, idleMs };
}

/** How long its searches may take: on a machine that others use, too, the slowest takes long before anything is attacked. */
export function mostBeside({ idleMs }, quietMs) {
  return Math.max(quietMs, 3 * idleMs);
}

/** Its searches, one after the other, while `work` runs: the slowest, and what was answered. */
export async function searchesBeside({ search }, work) {
  let isDone = false;
  const statuses = [];
  let slowestMs = 0;
  const searching = (async () => {
    do {
      const { status, tookMs } = await search();
      statuses.push(status);
      slowestMs = Math.max(slowestMs, tookMs);
      await pause(5);
    } while (!isDone);
  })();
  try {
    return { result: await work(), slowestMs: () => slowestMs, statuses };
  } finally {
    isDone = true;
    await searching;
  }
}
