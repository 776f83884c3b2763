/**
 * The loads of `measure-fairness.mjs`, which starts this in a process of its own: who measures must not wait for who asks. The first
 * message says which load, as whom; it goes on until the process is ended.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { dearFilter } from './dear-filter.mjs';
import { firstFilms, upload } from './load-tools.mjs';

const dearClients = 4;
const pipelined = 5_000;
const visitors = 8;
const batchCalls = 20;

/** Questions that visitors have asked: each is a new one. */
let visits = 0;

const loads = {
  async imports({ url, key, collections, films }) {
    const tenant = { url, key, films: await firstFilms(films) };
    await atOnce(collections, (collection) => upload({ ...tenant, collection }));
  },
  'dear filters': (tenant) => atOnce(Array.from({ length: dearClients }), () => searchDearly(tenant)),
  'pipelined searches': (tenant) => atOnce([tenant], pipeline),
  'demo searches': ({ url }) => atOnce(Array.from({ length: visitors }), () => demoBatch(url)),
};

const [{ load, ...asked }] = await once(process, 'message');
await loads[load](asked);

/** Each over and over. */
function atOnce(items, task) {
  return Promise.all(
    items.map(async (item) => {
      for (;;) await task(item);
    }),
  );
}

async function searchDearly({ url, key }) {
  const response = await fetch(`${url}/api/collections/films/search`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '*', filter_by: dearFilter }),
  });
  const answer = await response.text();
  if (response.status === 200) return;
  if (response.status !== 429 && response.status !== 503) throw new Error(`${response.status} ${answer}`);
  await sleep(5);
}

/** All written at once; ends with the last answer. */
function pipeline({ url, key }) {
  const { hostname, port } = new URL(url);
  const request = `GET /api/collections/films/search?q=war HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answers = 0;
    socket.on('data', (chunk) => {
      answers += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (answers >= pipelined) socket.destroy();
    });
    socket.once('close', resolve);
    socket.once('error', reject);
    socket.write(request.repeat(pipelined));
  });
}

async function demoBatch(url) {
  const names = Array.from({ length: batchCalls }, () => 'demo.products').join();
  const inputs = Object.fromEntries(
    Array.from({ length: batchCalls }, (_, i) => [i, { query: `warm coat ${visits + i}` }]),
  );
  visits += batchCalls;
  const response = await fetch(
    `${url}/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
  );
  await response.arrayBuffer();
}
