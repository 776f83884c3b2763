import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { apiKeyRow, collectionRow } from '#client/testing/rows.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import { KeySnippet } from './key-snippet.tsx';

const films = collectionRow(1, 'films');
const books = collectionRow(2, 'books');
const server = apiKeyRow(1, 'Server');
const website = { ...apiKeyRow(2, 'Website'), permissions: ['read' as const], collections: ['books'] };

function show(
  keys: ApiKey[],
  reveal = (input: unknown): unknown => ({ ...server, key: `vk_${idOf(input)}` }),
) {
  answerTrpc({ 'apiKeys.list': () => keys, 'apiKeys.reveal': reveal });
  renderPart(<KeySnippet projectId={1} collections={[films, books]} />);
  return userEvent.setup();
}
const idOf = (input: unknown) => (input as { id: number }).id;
const copied = async (user: ReturnType<typeof userEvent.setup>, said: RegExp) => {
  await user.click(screen.getByRole('button', { name: 'Copy command' }));
  await screen.findByText(said);
  return await navigator.clipboard.readText();
};

it('holds the key that may only read, with a collection that it opens', async () => {
  const user = show([server, website]);
  await screen.findByText('Search books with the key Website');
  expect(document.body.textContent).not.toContain('vk_');
  const text = await copied(user, /uses the read key “Website”/);
  expect(text).toContain("'X-API-Key: vk_2'");
  expect(text).toContain('/api/collections/books/');
});

it('holds a placeholder where every key writes, until one is chosen', async () => {
  const user = show([server]);
  await screen.findByText('Search films');
  expect(await copied(user, /^Put a key/)).toContain("'X-API-Key: YOUR_API_KEY'");
  await user.selectOptions(screen.getByLabelText('API key in the code'), 'Server (read and write)');
  await screen.findByText('Search films with the key Server');
  expect(await copied(user, /uses the read and write key “Server”/)).toContain("'X-API-Key: vk_1'");
});

it('never copies a masked key: where it is not shown, the placeholder', async () => {
  const user = show([server, website], () => refuse({ code: 'FORBIDDEN', message: 'Not for you' }));
  await screen.findByText('Search books with the key Website');
  const text = await copied(user, /^Put a key/);
  expect(text).toContain('YOUR_API_KEY');
  expect(text).not.toContain('•');
});
