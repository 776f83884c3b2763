import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { waitForFirstPage } from './after-first-page.ts';
import { laterPart } from './lazy-part.ts';

/** A page that has what is fetched for it on its way, and a part that is fetched later. */
async function openPage() {
  const queryClient = new QueryClient();
  let answer = () => {};
  const Part = laterPart(async () => ({ default: () => <p>the part</p> }));
  const routeTree = createRootRoute({
    component: () => (
      <>
        <p>the page</p>
        <Suspense>
          <Part />
        </Suspense>
      </>
    ),
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  waitForFirstPage(router, queryClient);
  void queryClient.fetchQuery({
    queryKey: ['hits'],
    queryFn: () => new Promise<string>((resolve) => (answer = () => resolve('hits'))),
  });
  render(<RouterProvider router={router} />);
  await screen.findByText('the page');
  // Several looks at what is on its way.
  for (let i = 0; i < 5; i += 1) await new Promise(requestAnimationFrame);
  expect(screen.queryByText('the part')).toBe(null);
  return () => answer();
}

it('what stands around the first page is fetched once nothing is on its way for the page itself', async () => {
  const answer = await openPage();
  answer();
  expect(await screen.findByText('the part')).toBeDefined();
});

it('or as soon as somebody does something', async () => {
  await openPage();
  fireEvent.keyDown(document.body, { key: 'k', metaKey: true });
  await waitFor(() => expect(screen.getByText('the part')).toBeDefined());
});
