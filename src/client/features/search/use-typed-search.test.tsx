import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderConsole, renderPart } from '#client/testing/render.tsx';
import { ada, collectionRow, projectRow, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import { type SearchState, searchState } from './search-state.ts';
import { useTypedSearch } from './use-typed-search.ts';

it('a step back that comes before the step forward is shown empties the box', async () => {
  serveConsole(ada, {
    'workspaces.list': () => [workspaceRow(1, 'Acme')],
    'projects.list': () => [projectRow(1, 'Shop', 1)],
    'collections.list': () => [collectionRow(1, 'films')],
  });
  const { router } = renderConsole('/search');
  const box = (await screen.findByRole('searchbox', { name: 'Search query' })) as HTMLInputElement;
  const steps: string[] = [];
  router.history.subscribe(({ location, action }) => {
    steps.push(`${action.type} ${location.search}`);
    if (action.type === 'PUSH') router.history.back();
  });
  // In one go: keys that come slowly are steps of their own.
  await userEvent.click(box);
  await userEvent.paste('robot');
  await waitFor(() => expect(steps).toEqual(['PUSH ?q=robot', 'BACK ']));
  await waitFor(() => expect(box.value).toBe(''));
  expect(router.state.location.search).not.toMatchObject({ q: 'robot' });
});

it('after a step Back nothing is searched for but what the address says', async () => {
  const address = (q: string, page = 1) => searchState({ q, page } as Parameters<typeof searchState>[0]);
  const asked: SearchState[] = [];
  function Probe() {
    const [state, setState] = useState(address('whale'));
    const { ahead, type } = useTypedSearch(state, () => {});
    asked.push(ahead);
    return (
      <>
        <button type="button" onClick={() => type({ q: 'whales' })}>
          Type
        </button>
        <button
          type="button"
          onClick={() => {
            asked.length = 0;
            setState(address('shark', 3));
          }}
        >
          Back
        </button>
      </>
    );
  }
  renderPart(<Probe />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Type' }));
  await waitFor(() => expect(asked.at(-1)?.q).toBe('whales'));
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(asked.at(-1)).toEqual(address('shark', 3)));
  expect(new Set(asked.map(({ q, page }) => `${q}, page ${page}`))).toEqual(new Set(['shark, page 3']));
});
