import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { refuse } from './testing/api.ts';
import { renderConsole } from './testing/render.tsx';
import { ada, apiKeyRow, projectRow } from './testing/rows.ts';
import { serveConsole } from './testing/serve-console.ts';

/** What the product says when a change is refused, wherever it is asked for. */

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }));
const dialog = async () => within(await screen.findByRole('dialog'));

/** Fills the open form's name and sends it. */
async function send(button: string): Promise<void> {
  const form = await dialog();
  await userEvent.type(form.getByLabelText(/^Name/), 'x');
  await userEvent.click(form.getByRole('button', { name: button }));
}

async function confirm(button: string): Promise<void> {
  await userEvent.click((await dialog()).getByRole('button', { name: button }));
}

const failures: [said: string, refused: string, address: string, change: () => Promise<void>][] = [
  [
    'Failed to create workspace. Please try again.',
    'workspaces.create',
    '/dashboard',
    async () => {
      await press('Create');
      await choose('New Workspace');
      await send('Create workspace');
    },
  ],
  [
    'Failed to create project. Please try again.',
    'projects.create',
    '/projects',
    async () => {
      await press('New Project');
      await send('Create project');
    },
  ],
  [
    'Failed to update project. Please try again.',
    'projects.update',
    '/projects',
    async () => {
      await press('Settings of Storefront');
      await send('Save changes');
    },
  ],
  [
    'Failed to update collection. Please try again.',
    'collections.update',
    '/collections',
    async () => {
      await press('Edit products');
      await send('Save changes');
    },
  ],
  [
    'Failed to delete collection. Please try again.',
    'collections.delete',
    '/collections',
    async () => {
      await press('Delete products');
      await confirm('Delete collection');
    },
  ],
  [
    'Failed to create API key. Please try again.',
    'apiKeys.create',
    '/projects/1?tab=api-keys',
    async () => {
      await press('Create API Key');
      await send('Create API key');
    },
  ],
  [
    'Failed to delete API key. Please try again.',
    'apiKeys.delete',
    '/projects/1?tab=api-keys',
    async () => {
      await press('Delete Website');
    },
  ],
];

it.each(failures)('%s', async (said, refused, address, change) => {
  const answer = vi.fn(() => refuse({ code: 'UNAVAILABLE', message: 'The database is away' }));
  serveConsole(ada, {
    'projects.get': () => projectRow(1, 'Storefront', 1),
    'apiKeys.list': () => [apiKeyRow(1, 'Website')],
    [refused]: answer,
  });
  renderConsole(address);
  await change();
  const region = within(await screen.findByRole('region', { name: 'Notification' }));
  expect(await region.findByText(said)).toBeDefined();
  expect(region.getByText('Error')).toBeDefined();
  // Once: nothing is tried again by itself.
  expect(answer).toHaveBeenCalledTimes(1);
});
