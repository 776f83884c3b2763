import { screen, waitFor } from '@testing-library/react';
import { getUntypedClient } from '@trpc/client';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { answerTrpc } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import { createTrpcClient, trpc } from './trpc.ts';

const pending = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve([])));

function Workspaces() {
  return <p>{trpc.workspaces.list.useQuery().status}</p>;
}

function Collections() {
  return <p>{trpc.collections.list.useQuery({}).data?.[0]?.name}</p>;
}

function Screen() {
  const [isShown, setShown] = useState(true);
  return isShown ? (
    <>
      <Workspaces />
      <button type="button" onClick={() => setShown(false)}>
        leave
      </button>
    </>
  ) : null;
}

it('shows what is answered while another answer of the same request is awaited', async () => {
  answerTrpc({
    'workspaces.list': (_, signal) => pending(signal),
    'collections.list': () => [collectionRow(1, 'films')],
  });
  renderPart(
    <>
      <Workspaces />
      <Collections />
    </>,
  );
  expect(await screen.findByText('films')).toBeDefined();
  expect(screen.getByText('pending')).toBeDefined();
});

it('gives up what a screen asked for when it is left', async () => {
  let asked: AbortSignal | undefined;
  answerTrpc({
    'workspaces.list': (_, signal) => {
      asked = signal;
      return pending(signal);
    },
  });
  renderPart(<Screen />);
  await waitFor(() => expect(asked?.aborted).toBe(false));
  screen.getByRole('button', { name: 'leave' }).click();
  await waitFor(() => expect(asked?.aborted).toBe(true));
});

it('asks by POST, however long what is asked is, and gives up the search that the next letter replaces', async () => {
  const signals: AbortSignal[] = [];
  const { calls } = answerTrpc({
    'search.hybrid': (input, signal) => {
      signals.push(signal);
      return (input as { query: string }).query.endsWith('b') ? { found: 1 } : pending(signal);
    },
  });
  const asked = vi.spyOn(globalThis, 'fetch');
  const client = getUntypedClient(createTrpcClient('http://console.test'));
  const long = 'x'.repeat(10_000);
  const replaced = new AbortController();
  const first = client.query('search.hybrid', { query: long }, { signal: replaced.signal });
  await waitFor(() => expect(signals).toHaveLength(1));
  replaced.abort();
  expect(await client.query('search.hybrid', { query: `${long}b` })).toEqual({ found: 1 });
  // Nobody hears it.
  await first.catch(() => null);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(calls).toHaveLength(2);
  for (const [address, init] of asked.mock.calls) {
    expect(init?.method).toBe('POST');
    expect(String(address)).toBe('http://console.test/trpc/search.hybrid');
  }
});

it('asks for a list page after page, and shows it whole', async () => {
  const rows = Array.from({ length: 620 }, (_, i) => collectionRow(i + 1, `collection ${i + 1}`));
  const { calls } = answerTrpc({
    'collections.list': (input) => {
      const { page, per_page } = input as { page: number; per_page: number };
      return rows.slice((page - 1) * per_page, page * per_page);
    },
  });
  renderPart(<Count />);
  expect(await screen.findByText('620, the last one collection 620')).toBeDefined();
  expect(calls).toEqual(
    [250, 249, 248].map((per_page, i) => ({
      path: 'collections.list',
      input: { workspaceId: 7, page: i + 1, per_page },
    })),
  );
});

it.each([0, 248, 249, 300])('drops no row of a list while row %i of it is deleted', async (deleted) => {
  let rows = Array.from({ length: 620 }, (_, id) => ({ id }));
  let isDeleted = false;
  answerTrpc({
    'notes.list': (input) => {
      const { page, per_page } = input as { page: number; per_page: number };
      const found = rows.slice((page - 1) * per_page, page * per_page);
      if (!isDeleted) rows = rows.filter(({ id }) => id !== deleted);
      isDeleted = true;
      return found;
    },
  });
  const client = createTrpcClient('http://console.test');
  expect(await getUntypedClient(client).query('notes.list', {})).toEqual(rows);
});

it.each([
  ['no list of rows', {}, { documents: [], found: 0 }, { page: 1, per_page: 250 }],
  ['one page of a list', { page: 2, per_page: 1 }, [{ id: 'b' }], { page: 2, per_page: 1 }],
])('answers %s as it came', async (_, asked, answer, sent) => {
  const { calls } = answerTrpc({ 'notes.list': () => answer });
  const client = createTrpcClient('http://console.test');
  expect(await getUntypedClient(client).query('notes.list', asked)).toEqual(answer);
  expect(calls).toEqual([{ path: 'notes.list', input: sent }]);
});

function Count() {
  const rows = trpc.collections.list.useQuery({ workspaceId: 7 }).data;
  return rows ? <p>{`${rows.length}, the last one ${rows.at(-1)?.name}`}</p> : null;
}
