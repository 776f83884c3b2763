import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import type { DocumentMap } from '#shared/document-map.ts';
import { collectionDefaults } from '../collection-state.ts';
import { MapTab } from './map-tab.tsx';

const empty: DocumentMap = {
  found: 0,
  withVector: 0,
  ids: [],
  titles: [],
  values: [],
  isDate: false,
  components: 2,
  rows: '',
  scales: '',
};
const some: DocumentMap = {
  ...empty,
  found: 3,
  withVector: 3,
  ids: ['a', 'b', 'c'],
  titles: ['Alien', null, 'Brazil'],
  values: [null, null, null],
  rows: btoa(String.fromCharCode(127, 0, 0, 127, 127, 127)),
  scales: btoa(String.fromCharCode(...new Uint8Array(Float32Array.of(1, 1, 1).buffer))),
};

function show(answer: (input: unknown) => unknown, documentCount = 3) {
  answerTrpc({ 'documents.map': answer, 'collections.fields': () => [] });
  return renderPart(
    <MapTab
      collection={collectionRow(1, 'films', documentCount)}
      state={{ ...collectionDefaults, tab: 'map' }}
      onChange={() => undefined}
    />,
  );
}

describe('a map that cannot be', () => {
  test.each([
    ['no documents', { found: 0, withVector: 0 }, 'No documents yet', /Once films has documents/],
    ['no vectors', { found: 9, withVector: 0 }, 'No vectors', /None of the documents has a vector/],
    ['one vector', { found: 9, withVector: 1 }, 'Too few documents', /here is one\./],
    ['two vectors', { found: 9, withVector: 2 }, 'Too few documents', /here are two\./],
  ])('for %s says so', async (_, counts, title, why) => {
    show(() => ({ ...empty, ...counts }));
    expect(await screen.findByRole('heading', { name: title })).toBeDefined();
    expect(screen.getByText(why)).toBeDefined();
  });

  test('for what the server says is asked for again', async () => {
    let asked = 0;
    show(() => {
      asked += 1;
      return asked === 1 ? refuse({ code: 'UNAVAILABLE', message: 'The search engine is busy' }) : empty;
    });
    expect(await screen.findByText('The search engine is busy')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No documents yet')).toBeDefined();
  });
});

/** A thread that answers as it is told: no test runs here in a browser that has threads. */
function threadThat(answer: (thread: Thread) => void) {
  const ended = vi.fn();
  vi.stubGlobal(
    'Worker',
    class implements Thread {
      onmessage?: Listener;
      onerror?: Listener;
      postMessage = () => answer(this);
      terminate = ended;
    },
  );
  return ended;
}
type Listener = (event: object) => void;
interface Thread {
  onmessage?: Listener;
  onerror?: Listener;
}

test('a thread that fails is told of, and begun again', async () => {
  let begun = 0;
  const ended = threadThat(({ onmessage, onerror }) => {
    begun += 1;
    if (begun === 1) onerror?.({ message: 'out of memory', preventDefault: () => undefined });
    else onmessage?.({ data: { kind: 'picture', positions: Float32Array.of(0, 0, 1, 1, 2, 0), share: 1 } });
  });
  show(() => some);
  expect(await screen.findByText('out of memory')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('application', { name: 'Map of 3 documents of films' })).toBeDefined();
  expect(ended).toHaveBeenCalledTimes(1);
});

test('a map of a collection that has changed since is drawn anew when that is asked for', async () => {
  threadThat(({ onmessage }) =>
    onmessage?.({ data: { kind: 'picture', positions: Float32Array.of(0, 0, 1, 1, 2, 0), share: 1 } }),
  );
  let asked = 0;
  show(() => {
    asked += 1;
    return { ...some, found: asked === 1 ? 3 : 5 };
  }, 5);
  expect(await screen.findByText(/has changed since/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Draw it anew' }));
  expect(await screen.findByText(/2 without a vector are not on the map/)).toBeDefined();
  expect(screen.queryByText(/has changed since/)).toBeNull();
});
