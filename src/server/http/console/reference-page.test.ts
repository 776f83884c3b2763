import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kit, startKit } from '../../testing/kit.ts';

let kit: Kit;
let clientDir: string;
beforeAll(async () => {
  clientDir = await mkdtemp(path.join(tmpdir(), 'vectora-client-'));
  await writeFile(path.join(clientDir, 'index.html'), '<p>console</p>');
  await writeFile(path.join(clientDir, 'reference.html'), '<main id="reference"></main>');
  kit = await startKit({ clientDir });
});
afterAll(async () => {
  await kit.close();
  await rm(clientDir, { recursive: true });
});

test('the reference is a page of its own, under the console’s policy', async () => {
  const answer = await kit.app.request('/api/docs');
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('<main id="reference"></main>');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toContain('unsafe');
});

test('it can only be read', async () => {
  const answer = await kit.app.request('/api/docs', { method: 'POST' });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});

test('a server without a console has none', async () => {
  const bare = await startKit();
  const answer = await bare.app.request('/api/docs');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
  await bare.close();
});
