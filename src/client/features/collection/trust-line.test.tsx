import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import { TrustLine } from './trust-line.tsx';

const same = {
  documents: 5,
  indexed: 5,
  missing: [],
  ghosts: [],
  stale: [],
  more: false,
  scan: 'bits',
  recall: 0.9969,
};
const noWrites = { 'requests.writeTimes': () => ({ writes: 0, p99Ms: null }) };
const renderLine = () => renderPart(<TrustLine collection={collectionRow(7, 'films', 5)} />);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

it('says how soon a write is found, once there were some', async () => {
  answerTrpc({ 'requests.writeTimes': () => ({ writes: 0, p99Ms: null }) });
  const shown = renderLine();
  expect(await screen.findByText('A write is found once it is answered')).toBeDefined();
  shown.unmount();
  answerTrpc({ 'requests.writeTimes': () => ({ writes: 120, p99Ms: 4.26 }) });
  renderLine();
  const within = await screen.findByText('A write is found within 4.3 ms (p99)');
  expect(within.title).toContain('Of 120 writes of the last day');
});

it('compares when it is asked to, and repairs what differs', async () => {
  let isHealed = false;
  const { calls } = answerTrpc({
    ...noWrites,
    'collections.verify': () => (isHealed ? same : { ...same, missing: ['a', 'b'], ghosts: ['c'] }),
    'collections.repair': () => {
      isHealed = true;
      return { documents: 5 };
    },
  });
  renderLine();
  expect(await screen.findByText('Index not verified yet')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Repair' })).toBe(null);
  expect(screen.queryByText(/transformer/)).toBe(null);
  const compared = () => calls.map(({ path }) => path).filter((path) => path.startsWith('collections.'));
  expect(compared()).toEqual([]);
  await press('Verify');
  expect(await screen.findByText('The index differs: 2 missing, 1 left over')).toBeDefined();
  expect(screen.getByText('Recall 0.996, measured')).toBeDefined();
  await press('Repair');
  expect(await screen.findByText('Index = record: 5 documents, text by text')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Repair' })).toBe(null));
  expect(compared()).toEqual(['collections.verify', 'collections.repair', 'collections.verify']);
});

it.each([
  [2, 3, 'Read by the transformer: 2 of 5'],
  // One has no text.
  [3, 1, 'Read by the transformer: 3 of 4'],
  [4, 0, 'Read by the transformer'],
  [2, 10_000, 'Read by the transformer: 2 of 20,000'],
])(
  'tells that the transformer has read %d documents, and is to read %d',
  async (upgradedCount, toUpgradeCount, told) => {
    answerTrpc(noWrites);
    const row = collectionRow(7, 'films', toUpgradeCount === 10_000 ? 20_000 : 5);
    renderPart(<TrustLine collection={{ ...row, upgradedCount, toUpgradeCount }} />);
    expect(await screen.findByText(told)).toBeDefined();
  },
);

it.each([
  ['openai:bge-m3', 'The service embeds each document'],
  ['onnx:bge-m3@0123456789ab', 'The server’s own model embeds each document'],
])('tells how many documents %s has embedded, none among them, and who does it', async (model, who) => {
  answerTrpc(noWrites);
  const collection = { ...collectionRow(7, 'films', 5), model, toUpgradeCount: 5 };
  renderPart(<TrustLine collection={collection} />);
  const told = await screen.findByText('Embedded by bge-m3: 0 of 5');
  expect(told.title).toContain(who);
});

it('can be cancelled, and says what failed', async () => {
  let isHanging = true;
  answerTrpc({
    ...noWrites,
    'collections.verify': (_, signal) =>
      isHanging
        ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : refuse({ code: 'FORBIDDEN', message: 'This needs the role "editor"' }),
  });
  renderLine();
  await press('Verify');
  expect(await screen.findByText(/^Comparing 5 documents/)).toBeDefined();
  await press('Cancel');
  expect(await screen.findByText('Index not verified yet')).toBeDefined();
  isHanging = false;
  await press('Verify');
  expect(await screen.findByText('This needs the role "editor"')).toBeDefined();
});
