import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

afterEach(() => vi.restoreAllMocks());

it('a server that is away when the console starts is waited for, and the page opens by itself', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const ask = vi.fn(async () => {
    throw new TypeError('Failed to fetch');
  });
  vi.stubGlobal('fetch', ask);
  renderConsole('/dashboard');
  await screen.findByText('This page asks again by itself, and opens as soon as there is an answer.');
  expect(screen.getByText('Vectora')).toBeDefined();
  serveConsole(ada);
  const answerCalls = fetch;
  vi.stubGlobal('fetch', (address: string | URL, init?: RequestInit) =>
    address === '/health' ? Promise.resolve(new Response('ok')) : answerCalls(address, init),
  );
  expect(await screen.findByRole('heading', { name: 'Dashboard', level: 1 })).toBeDefined();
  // React and the router tell the console of the error that they have caught.
  vi.mocked(console.error).mockClear();
});

it('a change is not tried without a network, and says why', async () => {
  const { calls } = serveConsole(ada);
  renderConsole('/projects');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New Project' }));
  await user.type(await screen.findByLabelText(/^Name/), 'Winter');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe(
      'You are offline, so nothing was sent. Try again when you are back.',
    ),
  );
  expect(calls.map(({ path }) => path)).not.toContain('projects.create');
  expect((screen.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('Winter');
});
