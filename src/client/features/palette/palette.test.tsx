import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { navigationOf } from '#client/components/shell/use-navigation.ts';
import type { Answers } from '#client/testing/api.ts';
import { refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, apiKeyRow, collectionRow, projectRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const hit = (id: string, title: string, collection: { id: number; name: string }) => ({
  id,
  document: { id, title },
  score: 1,
  highlights: [],
  collection,
});

const things: Answers = {
  'projects.list': () => [{ ...projectRow(1, 'Storefront', 1), apiKeysCount: 1 }],
  'projects.get': () => projectRow(1, 'Storefront', 1),
  'apiKeys.list': () => [apiKeyRow(1, 'Website')],
  'collections.list': () => [collectionRow(1, 'films', 3), { ...collectionRow(2, 'old'), isActive: false }],
  'search.multi': () => ({
    hits: [hit('jaws', 'Jaws', { id: 1, name: 'films' })],
    found: 1,
  }),
};

async function openPalette(answers: Answers = {}) {
  const server = serveConsole(ada, { ...things, ...answers });
  const page = renderConsole('/dashboard');
  const user = userEvent.setup();
  await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
  await user.keyboard('{Control>}k{/Control}');
  const box = await screen.findByRole('combobox', { name: 'Search everything' });
  await waitFor(() => expect(document.activeElement).toBe(box));
  const pages = navigationOf(Object.values(page.router.routesById));
  return { ...server, page, user, box: box as HTMLInputElement, pages };
}

const labels = () => screen.getAllByRole('option').map((option) => option.children[1]?.textContent);
const chosen = () =>
  screen.getAllByRole('option').find((row) => row.getAttribute('aria-selected') === 'true');

describe('the palette', () => {
  it('leads to every page of the route tree in three keys and Enter', async () => {
    const { user, box, pages } = await openPalette();
    expect(pages.length).toBeGreaterThanOrEqual(4);
    for (const { label } of pages) {
      const words = label.toLowerCase().split(' ');
      const initials = words.map((word) => word[0]).join('');
      const tries = [label.slice(0, 3), initials];
      const first: (string | undefined)[] = [];
      for (const keys of tries) {
        await user.clear(box);
        await user.type(box, keys);
        first.push(labels()[0]);
      }
      expect(first, `what is first for ${tries.join(' and ')}`).toContain(label);
    }
  });

  it('opens what is chosen, and is gone', async () => {
    const { page, user } = await openPalette();
    await user.keyboard('col{Enter}');
    await waitFor(() => expect(page.router.state.location.pathname).toBe('/collections'));
    expect(screen.queryByRole('combobox', { name: 'Search everything' })).toBe(null);
  });

  it('finds projects, collections, keys and actions by name', async () => {
    const { page, user, box } = await openPalette();
    for (const [typed, label, kind] of [
      ['store', 'Storefront', 'Project'],
      ['films', 'films', 'Collection'],
      ['webs', 'Website', 'API key'],
      ['new proj', 'New Project', 'Action'],
      ['sample art', 'Load the sample Artworks', 'Action'],
      ['sign o', 'Sign out', 'Action'],
    ] as const) {
      await user.clear(box);
      await user.type(box, typed);
      await waitFor(() => expect(chosen()?.textContent).toContain(label));
      expect(chosen()?.textContent).toContain(kind);
    }
    await user.clear(box);
    await user.type(box, 'webs{Enter}');
    await waitFor(() => expect(page.router.state.location.href).toBe('/projects/1?tab=api-keys'));
  });

  it('opens a dialog with the focus in it', async () => {
    const { user } = await openPalette();
    await user.keyboard('np{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Create project' }));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(/^Name/)));
  });

  it('opens documents, which one search over the active collections of the workspace finds', async () => {
    const { page, calls, user } = await openPalette();
    await user.keyboard('ja');
    expect(await screen.findByRole('option', { name: /Jaws.*films.*Document/ })).toBeDefined();
    expect(calls.findLast(({ path }) => path === 'search.multi')?.input).toEqual({
      searches: [{ collections: [1], mode: 'keyword', enable_analytics: false, query: 'ja' }],
      merge: { page: 1, per_page: 6 },
    });
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(page.router.state.location.search).toMatchObject({ q: 'Jaws', collection: 1, open: '1/jaws' }),
    );
  });

  it('does not say that no document has the words before they are searched', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { user } = await openPalette({
      'search.multi': async () => {
        await held;
        return { hits: [], found: 0 };
      },
    });
    await user.keyboard('xyzzy');
    expect(await screen.findByText('Searching the documents …')).toBeDefined();
    expect(screen.queryByText(/^Nothing has this name/)).toBe(null);
    release();
    expect(await screen.findByText(/^Nothing has this name/)).toBeDefined();
  });

  it('says when the documents cannot be searched', async () => {
    const { user } = await openPalette({
      'search.multi': () => refuse({ code: 'UNAVAILABLE', message: 'The indexes are away' }),
    });
    await user.keyboard('jaws');
    expect(await screen.findByText('Documents could not be searched: The indexes are away')).toBeDefined();
  });

  it('is walked by the arrows, whose row the box names, and gives the focus back', async () => {
    const { user, box } = await openPalette();
    const active = () => document.getElementById(box.getAttribute('aria-activedescendant') ?? '');
    expect(active()).toBe(chosen());
    const [first, second] = labels();
    await user.keyboard('{ArrowDown}');
    expect(active()?.textContent).toContain(second);
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(active()).toBe(screen.getAllByRole('option').at(-1));
    await user.keyboard('{ArrowDown}');
    expect(active()?.textContent).toContain(first);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('listbox')).toBe(null));
    const opener = screen.getByRole('button', { name: 'Search everything' });
    await user.click(opener);
    await screen.findByRole('listbox');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });
});

describe('the keys', () => {
  it('each page has a letter of its own', async () => {
    const { pages } = await openPalette();
    const letters = pages.map(({ letter }) => letter);
    expect(letters).not.toContain(undefined);
    expect(new Set(letters).size).toBe(pages.length);
  });

  it('lead to pages and the search box, and are only typed in fields', async () => {
    serveConsole(ada, things);
    const page = renderConsole('/dashboard');
    const user = userEvent.setup();
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
    await user.keyboard('gc');
    await waitFor(() => expect(page.router.state.location.pathname).toBe('/collections'));
    const box = await screen.findByRole('searchbox', { name: 'Search collections' });
    await user.keyboard('/');
    expect(document.activeElement).toBe(box);
    await user.keyboard('gd?/');
    expect((box as HTMLInputElement).value).toBe('gd?/');
    expect(page.router.state.location.pathname).toBe('/collections');
    expect(screen.queryByRole('dialog')).toBe(null);
  });

  it('are listed by ?', async () => {
    serveConsole(ada, things);
    renderConsole('/dashboard');
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
    await userEvent.keyboard('?');
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(help.getByText('Go to Collections')).toBeDefined();
    expect(help.getByText('Go to the notifications')).toBeDefined();
    expect(help.getByText('Next hit of a search')).toBeDefined();
  });
});
