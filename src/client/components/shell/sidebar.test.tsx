import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const sidebar = async () => within(await screen.findByRole('complementary', { name: 'Sidebar' }));

it('leads to every page, with Settings apart from the others', async () => {
  serveConsole(ada);
  renderConsole('/dashboard');
  const shown = await sidebar();
  const words = (links: HTMLElement[]) => links.map((link) => [link.textContent, link.getAttribute('href')]);
  const main = within(shown.getByRole('navigation', { name: 'Main' }));
  expect(words(main.getAllByRole('link'))).toEqual([
    ['Dashboard', '/dashboard'],
    ['Vector Search', '/search'],
    ['Live Events', '/events'],
    ['Ask Vector', '/ask-vector'],
    ['API Playground', '/api-playground'],
    ['Collections', '/collections'],
    ['All Projects', '/projects'],
    ['Monitoring', '/monitoring'],
    ['Documentation', '/documentation'],
  ]);
  expect(main.queryByRole('link', { name: 'Settings' })).toBeNull();
  expect(words([shown.getByRole('link', { name: 'Settings' })])).toEqual([['Settings', '/settings']]);
});

it.each([
  ['the full name', ada, 'Ada Lovelace', 'A'],
  ['the username', { ...ada, firstName: null, lastName: null, username: 'countess' }, 'countess', 'C'],
  ['“User”', { ...ada, firstName: null, lastName: null, username: '' }, 'User', 'U'],
] as const)('says who is signed in by %s, with an initial and the email', async (_, user, name, initial) => {
  serveConsole(user);
  renderConsole('/dashboard');
  const shown = await sidebar();
  expect(shown.getByText(name)).toBeDefined();
  expect(shown.getByText(initial)).toBeDefined();
  expect(shown.getByText('ada@example.com')).toBeDefined();
  expect(shown.getByRole('button', { name: 'Logout' })).toBeDefined();
});

it('the top bar creates a collection, a project, a key and a workspace', async () => {
  serveConsole(ada);
  const page = renderConsole('/dashboard');
  const open = async () => userEvent.click(await screen.findByRole('button', { name: 'Create' }));
  await open();
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'New Collection',
    'New Project',
    'New API Key',
    'New Workspace',
  ]);
  await userEvent.click(screen.getByRole('menuitem', { name: 'New API Key' }));
  expect(await screen.findByRole('heading', { name: 'Projects', level: 1 })).toBeDefined();
  expect(page.router.state.location.pathname).toBe('/projects');
  for (const [item, dialog] of [
    ['New Collection', 'Create collection'],
    ['New Project', 'Create project'],
  ] as const) {
    await open();
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
    const shown = within(await screen.findByRole('dialog', { name: dialog }));
    await userEvent.click(shown.getByRole('button', { name: 'Cancel' }));
  }
});
