import { expect, it } from 'vitest';
import { createTrpcClient } from '#client/lib/trpc.ts';
import { answerTrpc } from '#client/testing/api.ts';
import { searchState } from '../search-state.ts';
import { locate } from './locate.ts';

it('offers what may be meant in the order in which it was found, whatever the ids look like', async () => {
  const hits = ['30', '4', 'b', '12'].map((id) => ({ id, document: { id, title: `Dune ${id}` } }));
  answerTrpc({
    'search.explain': () => ({ id: 'dune', rank: null, lost: { step: 'document' }, changes: [] }),
    'search.keyword': () => ({ hits }),
  });
  const wanted = {
    state: searchState({ q: 'sand' } as Parameters<typeof searchState>[0]),
    collection: 1,
    wanted: 'dune',
  };
  const located = await locate(createTrpcClient('http://console.test'), wanted, AbortSignal.timeout(60_000));
  expect(located).toEqual({
    kind: 'choice',
    documents: hits.map(({ id, document }) => ({ id, title: document.title })),
  });
});
