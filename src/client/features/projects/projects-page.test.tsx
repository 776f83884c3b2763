import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, projectRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { Project } from '#shared/projects.ts';

const shop = {
  ...projectRow(1, 'Storefront', 1),
  description: 'What the SHOP sells',
  collectionsCount: 3,
  apiKeysCount: 1,
};
const intranet = projectRow(2, 'Intranet', 1);

function open(rows: Project[] = [shop, intranet], workspaces?: unknown[]) {
  serveConsole(ada, {
    'projects.list': () => rows,
    ...(workspaces && { 'workspaces.list': () => workspaces }),
  });
  return renderConsole('/projects');
}

const card = async (name: string) =>
  within((await screen.findByRole('link', { name })).closest('li') ?? document.createElement('li'));

it('says “Select a Workspace” where there is none, and shows no project', async () => {
  open([], []);
  expect(await screen.findByRole('heading', { name: 'Select a Workspace' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'New Project' })).toBeNull();
});

it('filters by name or description, whatever the case', async () => {
  open();
  const box = await screen.findByRole('searchbox', { name: 'Search projects' });
  await screen.findByRole('link', { name: 'Storefront' });
  for (const [typed, found] of [
    ['INTRA', ['Intranet']],
    ['the shop', ['Storefront']],
  ] as const) {
    await userEvent.clear(box);
    await userEvent.type(box, typed);
    await waitFor(() =>
      expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(
        found,
      ),
    );
  }
  await userEvent.type(box, ' of nobody');
  expect(await screen.findByRole('heading', { name: 'No projects found' })).toBeDefined();
});

it('has a card that leads to its project, with real counts, a badge and the day it was made', async () => {
  open();
  const shown = await card('Storefront');
  expect(shown.getByRole('link', { name: 'Storefront' }).getAttribute('href')).toBe('/projects/1');
  for (const text of ['3 collections', '1 API key', 'Active', 'Created Nov 20, 2026'])
    expect(shown.getByText(text)).toBeDefined();
  expect((await card('Intranet')).getByText('0 collections')).toBeDefined();
});

it('opens a project’s settings and its deletion from its card, and makes a new one', async () => {
  open();
  const shown = await card('Storefront');
  const close = async () => {
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await userEvent.click(shown.getByRole('button', { name: 'Settings of Storefront' }));
  const edits = within(await screen.findByRole('dialog', { name: 'Edit project' }));
  expect(edits.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Storefront');
  await close();
  await userEvent.click(shown.getByRole('button', { name: 'Delete Storefront' }));
  expect(await screen.findByRole('dialog', { name: 'Delete project' })).toBeDefined();
  await close();
  await userEvent.click(screen.getByRole('button', { name: 'New Project' }));
  const makes = within(await screen.findByRole('dialog', { name: 'Create project' }));
  expect(makes.getByRole<HTMLButtonElement>('button', { name: 'Create project' }).disabled).toBe(true);
});
