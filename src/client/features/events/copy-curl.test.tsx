import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { apiKeyRow, collectionRow } from '#client/testing/rows.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { RequestDetail } from '#shared/requests.ts';
import { CopyCurl } from './copy-curl.tsx';

const search: RequestDetail = {
  id: 1,
  requestId: 'r1',
  at: '2026-11-20T12:00:00.000Z',
  operation: 'search.keyword',
  type: 'search',
  way: 'api',
  key: null,
  collection: { id: 1, name: 'films' },
  status: 200,
  level: 'success',
  tookMs: 1,
  found: 0,
  words: 'rain',
  error: null,
  leftOut: 0,
  replay: 'yes',
  input: { collection: 'films', query: 'rain' },
  answer: null,
};
const server = apiKeyRow(1, 'Server');
const website = { ...apiKeyRow(2, 'Website'), permissions: ['read' as const] };

function show(event: RequestDetail, keys: ApiKey[]) {
  answerTrpc({
    'collections.list': () => [collectionRow(1, 'films')],
    'apiKeys.list': () => keys,
    'apiKeys.reveal': (input) => ({ ...server, key: `vk_${(input as { id: number }).id}` }),
  });
  renderPart(<CopyCurl workspaceId={1} event={event} />);
  return userEvent.setup();
}

it('a search is copied with a key that may only read, or the one that is chosen', async () => {
  const user = show(search, [server, website]);
  const choice = await screen.findByLabelText('API key in the code');
  await user.click(screen.getByRole('button', { name: 'Copy as curl' }));
  await screen.findByText('It uses the read key “Website”.');
  const command = await navigator.clipboard.readText();
  expect(command).toContain("'X-API-Key: vk_2'");
  expect(command).toContain('/api/collections/films/search');
  await user.selectOptions(choice, 'Server (read and write)');
  await user.click(screen.getByRole('button', { name: 'Copy as curl' }));
  await screen.findByText('It uses the read and write key “Server”.');
  expect(await navigator.clipboard.readText()).toContain("'X-API-Key: vk_1'");
});

it('what is no search has none', async () => {
  show({ ...search, operation: 'collections.get' }, [website]);
  expect(screen.queryByRole('button')).toBeNull();
});
