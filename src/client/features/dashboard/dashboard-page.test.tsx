import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { Answers } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

function open(more: Answers = {}) {
  serveConsole(ada, more);
  return renderConsole('/dashboard');
}

afterEach(() => void vi.useRealTimers());

const figure = async (name: string) => (await screen.findByRole('region', { name })).textContent;

it('leads from a recent collection to it, and says who did what', async () => {
  open({
    'dashboard.recentActivity': () => [
      {
        id: 1,
        type: 'collection_created',
        description: 'Collection "films" was created',
        actor: 'Grace Hopper',
        createdAt: new Date().toISOString(),
      },
    ],
  });
  const row = await screen.findByRole('link', { name: 'films' });
  expect(row.getAttribute('href')).toBe('/collections/1');
  expect(await screen.findByText('Grace Hopper')).toBeDefined();
});

it('has four figures, and the requests of seven days with their sum', async () => {
  const days = Array.from({ length: 7 }, (_, i) => ({ date: `2026-11-${15 + i}`, requests: 100 * i }));
  open({ 'dashboard.apiUsage': () => days });
  await screen.findByText('36,249');
  expect(await figure('Total Collections')).toBe('Total Collections2');
  expect(await figure('Total Documents')).toBe('Total Documents36,249');
  expect(await figure('API Requests (24h)')).toBe('API Requests (24h)12');
  expect(await figure('Active Projects')).toBe('Active Projects1');
  const usage = within(screen.getByRole('region', { name: 'API Usage (Last 7 Days)' }));
  expect(await usage.findByText('2,100 requests in total')).toBeDefined();
  expect(usage.getByRole('img', { name: 'Bar chart of 2,100 API requests over 7 days' })).toBeDefined();
});

it('counts requests anew when it is opened again', async () => {
  let requested = 12;
  const stats = () => ({
    totalCollections: 2,
    totalDocuments: 36_249,
    apiRequestsLast24h: requested,
    activeProjects: 1,
  });
  const page = open({ 'dashboard.stats': stats });
  await screen.findByText('36,249');
  await act(() => page.router.navigate({ to: '/projects' }));
  requested = 40;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  await act(() => page.router.navigate({ to: '/dashboard' }));
  await screen.findByText('40');
  expect(await figure('API Requests (24h)')).toBe('API Requests (24h)40');
});

it('shows the three newest collections and the way to all of them', async () => {
  const names = ['oldest', 'older', 'newer', 'newest'];
  const rows = names.map((name, i) => ({
    ...collectionRow(i + 1, name),
    createdAt: `2026-11-2${i}T10:00:00.000Z`,
  }));
  open({ 'collections.list': () => rows });
  const recent = within(await screen.findByRole('region', { name: 'Recent Collections' }));
  await recent.findByText('newest');
  const links = recent.getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['View all', 'newest', 'newer', 'older']);
  expect(links[0]?.getAttribute('href')).toBe('/collections');
});

it('has quick actions: a collection, documents, a key, the search', async () => {
  const page = open();
  const actions = within(await screen.findByRole('region', { name: 'Quick Actions' }));
  const hrefOf = (name: RegExp) => actions.getByRole('link', { name }).getAttribute('href');
  expect(hrefOf(/^Upload Documents/)).toBe('/collections');
  expect(hrefOf(/^Generate API Key/)).toBe('/projects');
  expect(hrefOf(/^Search Console/)).toBe('/search');
  await userEvent.click(actions.getByRole('button', { name: /^Create Collection/ }));
  expect(await screen.findByRole('dialog', { name: 'Create collection' })).toBeDefined();
  expect(page.router.state.location.pathname).toBe('/dashboard');
});

it('deletes a collection once the browser’s own question is answered, and not before', async () => {
  const deleted: unknown[] = [];
  open({
    'collections.delete': (input) => {
      deleted.push(input);
      return collectionRow(1, 'films');
    },
  });
  const answer = vi.fn<(question: string) => boolean>(() => false);
  vi.stubGlobal('confirm', answer);
  const remove = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for films' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  };
  await remove();
  expect(answer).toHaveBeenCalledWith(
    'Are you sure you want to delete "films"? This action cannot be undone.',
  );
  expect(deleted).toEqual([]);
  answer.mockReturnValue(true);
  await remove();
  expect(await screen.findByText('The collection has been successfully deleted.')).toBeDefined();
  expect(deleted).toEqual([{ collection: 1 }]);
});
