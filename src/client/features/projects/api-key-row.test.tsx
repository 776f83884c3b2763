import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { trpc } from '#client/lib/trpc.ts';
import { type Answers, answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { apiKeyRow } from '#client/testing/rows.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import { ApiKeyRow } from './api-key-row.tsx';

function Keys() {
  const { data = [] } = trpc.apiKeys.list.useQuery({ projectId: 1 });
  const activity = trpc.dashboard.recentActivity.useQuery({ limit: 8 });
  return (
    <>
      <p>{activity.data?.length} entries</p>
      <table>
        <tbody>
          {data.map((apiKey) => (
            <ApiKeyRow
              key={apiKey.id}
              apiKey={apiKey}
              isRemoving={false}
              onRotate={() => undefined}
              onDelete={() => undefined}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

/** A server with one key; `list` may hold its answer back. */
function serve(more: Answers = {}) {
  const state = { key: apiKeyRow(1, 'Website'), hold: null as Promise<unknown> | null };
  answerTrpc({
    'apiKeys.list': async () => {
      const rows: ApiKey[] = [state.key];
      await state.hold;
      return rows;
    },
    'apiKeys.update': (input) => {
      state.key = { ...state.key, ...(input as Partial<ApiKey>) };
      return state.key;
    },
    'dashboard.recentActivity': () =>
      state.key.isActive
        ? []
        : [{ id: 1, type: 'api_key_updated', description: 'Paused', createdAt: state.key.createdAt }],
    ...more,
  });
  return state;
}

const toggle = () => userEvent.click(screen.getByRole('switch', { name: 'Website is active' }));

it('a key that is paused is in the recent activity', async () => {
  serve();
  renderPart(<Keys />);
  await screen.findByText('Active');
  await toggle();
  expect(await screen.findByText('1 entries')).toBeDefined();
  expect(screen.getByText('Inactive')).toBeDefined();
});

it('a list that was asked for before the change does not undo it', async () => {
  let answerList = () => {};
  let answerUpdate = () => {};
  const state = serve({
    'apiKeys.update': () =>
      new Promise((resolve) => {
        answerUpdate = () => {
          state.key = { ...state.key, isActive: false };
          resolve(state.key);
        };
      }),
  });
  const { loaders } = renderPart(<Keys />);
  await screen.findByText('Active');
  state.hold = new Promise<void>((resolve) => {
    answerList = resolve;
  });
  const refetched = loaders.apiKeys.list.refetch();
  await toggle();
  expect(await screen.findByText('Inactive')).toBeDefined();
  state.hold = null;
  answerList();
  await refetched;
  expect(loaders.apiKeys.list.getData({ projectId: 1 })).toMatchObject([{ isActive: false }]);
  answerUpdate();
  await waitFor(() => expect(screen.getByRole('switch')).toHaveProperty('disabled', false));
  expect(screen.getByText('Inactive')).toBeDefined();
});

it('is taken back, with a word, when the server refuses', async () => {
  serve({ 'apiKeys.update': () => refuse({ code: 'FORBIDDEN', message: 'Only editors may' }) });
  renderPart(<Keys />);
  await screen.findByText('Active');
  await toggle();
  expect(await screen.findByText('Only editors may')).toBeDefined();
  expect(await screen.findByText('Active')).toBeDefined();
});

const wholeKey = 'vk_000000000000000000000001_whole1';

/** Everything the console remembers: queries, mutations, the browser's storage. */
function remembered({ queryClient }: ReturnType<typeof renderPart>): string {
  const queries = queryClient
    .getQueryCache()
    .getAll()
    .map(({ state }) => state.data);
  const mutations = queryClient
    .getMutationCache()
    .getAll()
    .map(({ state }) => state.data);
  return JSON.stringify([queries, mutations, { ...localStorage }, { ...sessionStorage }]);
}

it('a key is fetched when it is revealed, stands in its row until it is hidden, and nowhere else', async () => {
  let answer = () => {};
  const state = serve({
    'apiKeys.reveal': () =>
      new Promise((resolve) => {
        answer = () => resolve({ ...state.key, key: wholeKey });
      }),
  });
  const view = renderPart(<Keys />);
  expect((await screen.findByText(state.key.key)).textContent).toMatch(/^•{32}0001$/);
  await userEvent.click(screen.getByRole('button', { name: 'Reveal API key Website' }));
  const button = screen.getByRole('button', { name: 'Reveal API key Website' });
  await waitFor(() => expect(button).toHaveProperty('disabled', true));
  expect(screen.queryByText(wholeKey)).toBeNull();
  answer();
  await screen.findByText(wholeKey);
  await waitFor(() => expect(remembered(view)).not.toContain(wholeKey));
  await userEvent.click(screen.getByRole('button', { name: 'Hide API key Website' }));
  expect(screen.queryByText(wholeKey)).toBeNull();
  expect(document.body.innerHTML).not.toContain(wholeKey);
});

it('a masked key is fetched to be copied, and not shown', async () => {
  const state = serve({ 'apiKeys.reveal': () => ({ ...state.key, key: wholeKey }) });
  const view = renderPart(<Keys />);
  await screen.findByText(state.key.key);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Copy API key Website' }));
  expect(await screen.findByText('API key copied to clipboard')).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(wholeKey);
  expect(document.body.innerHTML).not.toContain(wholeKey);
  await waitFor(() => expect(remembered(view)).not.toContain(wholeKey));
});

it('says why a key is not shown', async () => {
  const refusal = { code: 'FORBIDDEN', message: 'This needs the role "editor"; yours is "viewer"' } as const;
  const state = serve({ 'apiKeys.reveal': () => refuse(refusal) });
  renderPart(<Keys />);
  await screen.findByText(state.key.key);
  for (const name of ['Reveal API key Website', 'Copy API key Website']) {
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByText(refusal.message)).toBeDefined();
    expect(screen.getByText(state.key.key)).toBeDefined();
  }
});
