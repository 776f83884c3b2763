import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { clearToasts } from '#client/lib/toast.ts';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { apiKeyRow, collectionRow } from '#client/testing/rows.ts';
import { searchDefaults } from '../search-state.ts';
import { CopyAs } from './copy-as.tsx';

const films = collectionRow(1, 'films');
const strong = apiKeyRow(1, 'Server');
const weak = { ...apiKeyRow(2, 'Website'), permissions: ['read' as const] };

async function copyWith(
  reveal: (input: unknown) => unknown,
  language = 'curl',
  { keys = [strong, weak], choose = null as string | null } = {},
) {
  const { calls } = answerTrpc({ 'apiKeys.list': () => keys, 'apiKeys.reveal': reveal });
  renderPart(<CopyAs state={{ ...searchDefaults, q: 'rain' }} collection={films} collections={[films]} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Copy as' }));
  if (choose) await user.click(await screen.findByRole('menuitemradio', { name: choose }));
  await user.click(await screen.findByRole('menuitem', { name: language }));
  const said = await screen.findByText(/^(It uses|Put a key)/);
  return { calls, said: said.textContent, text: await navigator.clipboard.readText() };
}

it('the command holds the whole key of the one that may do least', async () => {
  const { calls, said, text } = await copyWith(() => ({ ...weak, key: 'vk_whole' }));
  expect(said).toBe('It uses the read key “Website”.');
  expect(calls).toContainEqual({ path: 'apiKeys.reveal', input: { id: weak.id } });
  expect(text).toContain("'X-API-Key: vk_whole'");
});

it('a key that writes is in the command only when it is asked for', async () => {
  const unasked = await copyWith(() => ({ ...strong, key: 'vk_strong' }), 'curl', { keys: [strong] });
  expect(unasked.said).toBe('Put a key in place of YOUR_API_KEY.');
  expect(unasked.calls.map(({ path }) => path)).not.toContain('apiKeys.reveal');
  cleanup();
  clearToasts();
  const choose = 'Server (read and write)';
  const asked = await copyWith(() => ({ ...strong, key: 'vk_strong' }), 'curl', { choose });
  expect(asked.said).toBe('It uses the read and write key “Server”.');
  expect(asked.text).toContain("'X-API-Key: vk_strong'");
});

it('holds a placeholder where the key is not shown, never the masked key', async () => {
  const { text } = await copyWith(() => refuse({ code: 'FORBIDDEN', message: 'Not for you' }));
  expect(text).toContain('YOUR_API_KEY');
  expect(text).not.toContain('•');
});

it.each(['JavaScript', 'Python'])('%s says the same', async (language) => {
  const { text } = await copyWith(() => ({ ...weak, key: 'vk_whole' }), language);
  expect(text).toContain('"X-API-Key": "vk_whole"');
  expect(text).toContain('"query": "rain"');
});

it('InstantSearch, whose index is one collection, begins with what is searched and ticked', async () => {
  const { text } = await copyWith(() => ({ ...weak, key: 'vk_whole' }), 'InstantSearch');
  expect(text).toContain('const headers = {"X-API-Key":"vk_whole","Content-Type":"application/json"};');
  expect(text).toContain('initialUiState: {"films":{"query":"rain"}}');
});
