// @vitest-environment node
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { createQueryClient } from '#client/lib/create-query-client.ts';
import { createTrpcClient, createTrpcLoaders } from '#client/lib/trpc.ts';
import { createConsoleRouter } from '../../router.tsx';
import { activeItem, navigationOf } from './use-navigation.ts';

const queryClient = createQueryClient();
const client = createTrpcClient();
const { routesById } = createConsoleRouter(
  { queryClient, trpc: createTrpcLoaders(queryClient, client), client },
  createMemoryHistory(),
);
const items = navigationOf(Object.values(routesById));

it('has the pages in their order, each at a place of its own', () => {
  const pages = items.map(({ to, label }) => `${label}: ${to}`);
  const known = [
    'Dashboard: /dashboard',
    'Vector Search: /search',
    'Collections: /collections',
    'All Projects: /projects',
  ];
  // A page that is added stands between them.
  expect(pages.filter((page) => known.includes(page))).toEqual(known);
  expect(new Set(items.map(({ order }) => order)).size).toBe(items.length);
});

it.each([
  ['/projects', '/projects'],
  ['/projects/12', '/projects'],
  ['/dashboard', '/dashboard'],
  ['/projects-archive', undefined],
  ['/', undefined],
])('%s belongs to %s', (pathname, to) => {
  expect(activeItem(items, pathname)?.to).toBe(to);
});

it('what is at the bottom is active on its own path only', () => {
  const bottom = items.map((item) => ({ ...item, isBottom: true }));
  expect(activeItem(bottom, '/projects')?.to).toBe('/projects');
  expect(activeItem(bottom, '/projects/12')).toBe(undefined);
});
