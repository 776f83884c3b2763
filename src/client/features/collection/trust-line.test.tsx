import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import { TrustLine } from './trust-line.tsx';

const same = { documents: 5, indexed: 5, missing: [], ghosts: [], stale: [], more: false };
const renderLine = () => renderPart(<TrustLine collection={collectionRow(7, 'films', 5)} />);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

it('compares when it is asked to, and repairs what differs', async () => {
  let isHealed = false;
  const { calls } = answerTrpc({
    'collections.verify': () => (isHealed ? same : { ...same, missing: ['a', 'b'], ghosts: ['c'] }),
    'collections.repair': () => {
      isHealed = true;
      return { documents: 5 };
    },
  });
  renderLine();
  expect(await screen.findByText('Index not compared with the record yet')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Repair' })).toBe(null);
  expect(screen.queryByText(/transformer/)).toBe(null);
  expect(calls).toEqual([]);
  await press('Verify');
  expect(await screen.findByText('The index differs: 2 missing, 1 left over')).toBeDefined();
  await press('Repair');
  expect(await screen.findByText('Index = record: 5 documents, text by text')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Repair' })).toBe(null));
  expect(calls.map(({ path }) => path)).toEqual([
    'collections.verify',
    'collections.repair',
    'collections.verify',
  ]);
});

it('tells how many documents the transformer has read', async () => {
  answerTrpc({});
  renderPart(<TrustLine collection={{ ...collectionRow(7, 'films', 5), upgradedCount: 2 }} />);
  expect(await screen.findByText('Read by the transformer: 2 of 5')).toBeDefined();
});

it('can be cancelled, and says what failed', async () => {
  let isHanging = true;
  answerTrpc({
    'collections.verify': (_, signal) =>
      isHanging
        ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : refuse({ code: 'FORBIDDEN', message: 'This needs the role "editor"' }),
  });
  renderLine();
  await press('Verify');
  expect(await screen.findByText(/^Comparing 5 documents/)).toBeDefined();
  await press('Cancel');
  expect(await screen.findByText('Index not compared with the record yet')).toBeDefined();
  isHanging = false;
  await press('Verify');
  expect(await screen.findByText('This needs the role "editor"')).toBeDefined();
});
