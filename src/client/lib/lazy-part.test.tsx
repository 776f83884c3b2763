import { screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { lazyPart } from './lazy-part.ts';
import { askServer } from './reachability.ts';

afterEach(() => vi.unstubAllGlobals());

it('a part that cannot be fetched leaves the page as it is, and comes when the server is back', async () => {
  let isUp = false;
  const Part = lazyPart(async () => {
    if (!isUp) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: () => <p>the part</p> };
  });
  renderPart(
    <>
      <p>the page</p>
      <Suspense>
        <Part />
      </Suspense>
    </>,
  );
  expect(await screen.findByText('the page')).toBeDefined();
  expect(screen.queryByText('the part')).toBe(null);
  isUp = true;
  vi.stubGlobal('fetch', async () => new Response('ok'));
  await askServer();
  expect(await screen.findByText('the part')).toBeDefined();
  expect(screen.getByText('the page')).toBeDefined();
});
