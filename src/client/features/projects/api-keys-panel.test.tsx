import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { trpc } from '#client/lib/trpc.ts';
import { type Answers, answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { apiKeyRow } from '#client/testing/rows.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import { ApiKeysPanel } from './api-keys-panel.tsx';

const newValue = 'vk_000000000000000000000002_whole2';

function Keys() {
  const list = trpc.apiKeys.list.useQuery({ projectId: 1 });
  return <ApiKeysPanel projectId={1} list={list} collections={[]} />;
}

/** A server with keys that are deleted, restored and rotated. */
function serve(keys: ApiKey[], more: Answers = {}) {
  const state = { keys, deleted: [] as ApiKey[] };
  const change = (id: number, changes: Partial<ApiKey>) => {
    state.keys = state.keys.map((key) => (key.id === id ? { ...key, ...changes } : key));
    return state.keys.find((key) => key.id === id);
  };
  const { calls } = answerTrpc({
    'apiKeys.list': () => state.keys,
    'apiKeys.delete': (input) => {
      const { id } = input as { id: number };
      const key = state.keys.find((one) => one.id === id);
      if (!key) return refuse({ code: 'NOT_FOUND', message: 'API key not found' });
      state.keys = state.keys.filter((one) => one !== key);
      state.deleted.push(key);
      return key;
    },
    'apiKeys.restore': () => {
      const key = state.deleted.pop();
      if (!key) return refuse({ code: 'NOT_FOUND', message: 'API key not found' });
      state.keys = [...state.keys, key];
      return key;
    },
    'apiKeys.rotate': (input) => {
      const { id, graceHours } = input as { id: number; graceHours: number };
      const until = new Date(Date.now() + graceHours * 3_600_000).toISOString();
      const former = graceHours > 0 ? { lastFour: `000${id}`, until } : null;
      return { ...change(id, { lastFour: 'ole2', former }), key: newValue };
    },
    'apiKeys.update': (input) => {
      const { id, ...changes } = input as { id: number } & Partial<ApiKey>;
      return change(id, changes);
    },
    ...more,
  });
  const view = renderPart(<Keys />);
  return { ...view, state, calls, user: userEvent.setup() };
}
/** A toast takes no pointer in its first moment; a key does. */
async function press(user: ReturnType<typeof userEvent.setup>, name: string | RegExp) {
  const button = await screen.findByRole('button', { name });
  button.focus();
  await user.keyboard('{Enter}');
}
const inUse = { ...apiKeyRow(1, 'Website'), requestsLast24h: 1_234 };

it('a key that is not in use is deleted at once, and Undo brings it back', async () => {
  const { user, calls } = serve([apiKeyRow(1, 'Website'), apiKeyRow(2, 'Server')]);
  await press(user, 'Delete Website');
  await screen.findByText('API key deleted');
  await waitFor(() => expect(screen.queryByText('Website')).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
  await press(user, /Undo/);
  await screen.findByText('API key restored');
  expect(await screen.findByText('Website')).toBeDefined();
  expect(calls).toContainEqual({ path: 'apiKeys.restore', input: { id: 1 } });
});

it('one that is in use is asked about once, with how much it is used', async () => {
  const { user, calls } = serve([inUse]);
  await press(user, 'Delete Website');
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('1,234 requests in the last 24 hours');
  expect(calls.map(({ path }) => path)).not.toContain('apiKeys.delete');
  await user.click(within(dialog).getByRole('button', { name: 'Delete API key' }));
  await screen.findByText('No API keys yet');
  await press(user, /Undo/);
  await screen.findByText('API key restored');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('says why a key is not restored', async () => {
  const refusal = { code: 'UNPROCESSABLE', message: 'A project has at most 1000 API keys' } as const;
  const { user } = serve([apiKeyRow(1, 'Website')], { 'apiKeys.restore': () => refuse(refusal) });
  await press(user, 'Delete Website');
  await press(user, /Undo/);
  expect(await screen.findByText('The API key could not be restored')).toBeDefined();
  expect(await screen.findByText(refusal.message)).toBeDefined();
});

it('a rotated key shows its new value in the dialog and nowhere else, and until when the former one works', async () => {
  const { user, calls, queryClient } = serve([inUse]);
  await press(user, 'Rotate Website');
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('1,234 requests');
  await user.click(within(dialog).getByRole('button', { name: 'Rotate API key' }));
  const value = await within(dialog).findByLabelText('New value');
  expect(value).toHaveProperty('value', newValue);
  expect(calls).toContainEqual({ path: 'apiKeys.rotate', input: { id: 1, graceHours: 24 } });
  await user.click(within(dialog).getByRole('button', { name: 'Copy the new value' }));
  expect(await navigator.clipboard.readText()).toBe(newValue);
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const told = await screen.findByText(/^The former value/);
  expect(told.textContent).toContain('The former value, …0001, works until');
  const mutations = queryClient.getMutationCache().getAll();
  const queries = queryClient.getQueryCache().getAll();
  const remembered = JSON.stringify([mutations.map((one) => one.state), queries.map((one) => one.state)]);
  expect(remembered).not.toContain(newValue);
  expect(document.body.innerHTML).not.toContain(newValue);
});

it('the former value is ended before its time, after a question', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const { user, calls } = serve([{ ...inUse, former: { lastFour: 'abcd', until } }]);
  await press(user, 'End it now: the former value of Website');
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('ends in abcd');
  await user.click(within(dialog).getByRole('button', { name: 'End it now' }));
  await screen.findByText('Former value ended');
  expect(calls).toContainEqual({ path: 'apiKeys.update', input: { id: 1, former: null } });
  await waitFor(() => expect(screen.queryByText(/^The former value, /)).toBeNull());
});

it('there is no third value while the former one works; one whose time is over is not told of', async () => {
  const at = (ms: number) => ({ lastFour: 'abcd', until: new Date(Date.now() + ms).toISOString() });
  const { user } = serve([
    { ...inUse, former: at(60_000) },
    { ...apiKeyRow(2, 'Server'), former: at(-1) },
  ]);
  expect(await screen.findAllByText(/The former value/)).toHaveLength(1);
  await press(user, 'Rotate Website');
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('alert').textContent).toContain('End that first');
  expect(within(dialog).getByRole('button', { name: 'Rotate API key' })).toHaveProperty('disabled', true);
});
