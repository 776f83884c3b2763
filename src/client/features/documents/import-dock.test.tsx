import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { setLiveState } from '#client/lib/live/live-state.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

afterEach(() => setLiveState(true));

const underWay = {
  id: 4,
  state: 'running',
  action: 'upsert',
  idempotencyKey: null,
  rows: 12,
  succeeded: 12,
  failed: 0,
  error: null,
  startedAt: '2026-11-27T00:00:00.000Z',
  updatedAt: '2026-11-27T00:00:00.000Z',
  endedAt: null,
  collection: { id: 1, name: 'films' },
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('asks how far an import is while the stream of changes is broken, and not while it tells', async () => {
  const { calls } = serveConsole(ada, { 'dashboard.importsUnderWay': () => [underWay] });
  const asked = () => calls.filter(({ path }) => path === 'dashboard.importsUnderWay').length;
  renderConsole('/projects');
  await screen.findByText(/12 documents/);
  const before = asked();
  await pause(2_500);
  expect(asked()).toBe(before);
  setLiveState(false);
  await waitFor(() => expect(asked()).toBeGreaterThan(before + 1));
});
