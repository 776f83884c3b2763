/** What the scripts that look at the console in a browser have in common: a server of their own, an account with samples in it, and the browser. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { findChromium } from './chromium.mjs';
import { ensureBuilt, root } from './freshness.mjs';
import { startServer } from './load-tools.mjs';

const person = { email: 'ada@example.com', username: 'ada', firstName: 'Ada', lastName: 'Lovelace' };
const password = 'correct horse battery staple';

/**
 * The built console with three collections of an account; `films` and `artworks` have at most so many documents each. `isJudged`: queries are
 * judged, and one has a pin.
 * @returns what is where, `browser`, and `close`
 */
export async function openConsole({ documents = 1_500, isJudged = true, settings = {} } = {}) {
  await ensureBuilt();
  const server = await startServer({ LOG_LEVEL: 'warn', ...settings });
  const close = async () => {
    await browser?.close();
    await server.stop();
  };
  let browser;
  try {
    const place = await fill(server.url, documents, isJudged);
    browser = await chromium.launch({
      executablePath: await findChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    return { ...place, url: server.url, browser, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(url, documents, isJudged) {
  const registered = await post(url, '/auth/register', { ...person, password, confirmPassword: password });
  const [pair] = registered.cookies;
  const headers = { cookie: pair, origin: url };
  const [workspace] = await (await fetch(`${url}/api/workspaces`, { headers })).json();
  const make = async (route, body) => (await post(url, route, body, headers)).answer;
  const project = await make('/projects', {
    name: 'Online shop',
    description: 'What customers search for on the website and in the app.',
    workspaceId: workspace.id,
  });
  await make('/projects', { name: 'Archive', workspaceId: workspace.id });
  const { products } = await import(path.join(root, 'dist/server/products.js'));
  const collections = {};
  for (const [name, description, rows] of [
    ['films', 'Films of 1900 to 2023 with an extract of their article.', sample('films', documents)],
    ['artworks', 'Works with artist, medium and subjects.', sample('artworks', documents)],
    ['products', 'A made-up shop.', products.map((product) => JSON.stringify(product))],
    ['drafts', '', []],
  ]) {
    const collection = await make('/collections', {
      name,
      description,
      projectId: project.id,
      dimension: 384,
    });
    collections[name] = collection.id;
    if (rows.length === 0) continue;
    const type = { 'content-type': 'application/x-ndjson' };
    await post(url, `/collections/${collection.id}/documents/import`, rows.join('\n'), {
      ...headers,
      ...type,
    });
  }
  if (isJudged) await judge(collections.films, make);
  await make('/api-keys', { name: 'Website', projectId: project.id, permissions: ['read'] });
  await make('/api-keys', { name: 'Import job', projectId: project.id, permissions: ['read', 'write'] });
  const [name, value] = pair.split('=');
  return { cookie: { name, value, url }, headers, workspace: workspace.id, project: project.id, collections };
}

const judgedQueries = [
  'robots learning to love',
  'space station',
  'a heist that goes wrong',
  'zombie apocalypse',
];

/** Of some queries the second hit is the best and the fourth relevant; measured once, and again after a change. */
async function judge(collection, make) {
  const of = `/collections/${collection}`;
  const measure = (reason) => make(`${of}/judgements/measures`, { mode: 'hybrid', reason });
  for (const query of judgedQueries) {
    const { hits } = await make(`${of}/hybrid-search`, { query });
    const graded = [hits[1], hits[3]].filter(Boolean);
    for (const [i, { id }] of graded.entries())
      await make(`${of}/judgements`, { query, document: id, grade: i === 0 ? 3 : 1 });
  }
  await measure('before the pin');
  const [query] = judgedQueries;
  const { hits } = await make(`${of}/hybrid-search`, { query });
  const includes = [{ id: hits[1].id, position: 1 }];
  await make(`${of}/overrides`, { rule: { query, match: 'exact' }, includes });
  await measure();
}

/** The first documents of a sample, as lines of JSON. */
function sample(name, documentsMax) {
  const text = gunzipSync(readFileSync(path.join(root, `samples/${name}.ndjson.gz`))).toString('utf8');
  return text.trim().split('\n').slice(0, documentsMax);
}

async function post(url, route, body, headers = {}) {
  const isText = typeof body === 'string';
  const response = await fetch(`${url}/api${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: isText ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${route}: ${response.status} ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return { answer: await response.json(), cookies };
}

/** Until a page has its heading and nothing more is to come. */
export async function settle(page) {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector(
        '.mantine-Skeleton-root, [data-bone], .mantine-Loader-root, [aria-busy="true"]',
      ) === null && document.fonts.status === 'loaded',
  );
}
