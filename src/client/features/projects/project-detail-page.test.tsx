import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, apiKeyRow, collectionRow, projectRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const project = { ...projectRow(1, 'Storefront', 1), description: 'What the shop sells' };
const films = { ...collectionRow(1, 'films', 36_249), description: 'What is on' };
const drafts = { ...collectionRow(2, 'drafts', 1), isActive: false };

function open(address = '/projects/1') {
  serveConsole(ada, {
    'projects.get': () => project,
    'collections.list': () => [films, drafts],
    'apiKeys.list': () => [apiKeyRow(1, 'Website')],
  });
  return renderConsole(address);
}

const cellsOf = async (name: RegExp) =>
  within(await screen.findByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

it('says what it is, when it was made and changed, and what is in it', async () => {
  open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Storefront' })).toBeDefined();
  expect(screen.getByText('What the shop sells')).toBeDefined();
  expect(screen.getByText('Created Nov 20, 2026 · Updated Nov 20, 2026')).toBeDefined();
  await screen.findByText('36,250');
  for (const [label, figure] of [
    ['Collections', '2'],
    ['API Keys', '1'],
    ['Total Documents', '36,250'],
    ['API Requests (24h)', '12'],
  ] as const)
    expect(screen.getByRole('region', { name: label }).textContent).toBe(`${label}${figure}`);
  await userEvent.click(screen.getByRole('button', { name: 'Edit Project' }));
  expect(await screen.findByRole('dialog', { name: 'Edit project' })).toBeDefined();
});

it('has its collections as a table, with their documents and state', async () => {
  open();
  expect(await cellsOf(/films/)).toEqual(['films', 'What is on', '36,249', 'Active', 'Nov 20, 2026', '']);
  expect(await cellsOf(/drafts/)).toEqual(['drafts', '–', '1', 'Inactive', 'Nov 20, 2026', '']);
  expect(heads()).toEqual(['Name', 'Description', 'Documents', 'Status', 'Created', 'Actions']);
  const row = within(screen.getByRole('row', { name: /films/ }));
  expect(row.getByRole('button', { name: 'Edit films' })).toBeDefined();
  expect(row.getByRole('button', { name: 'Delete films' })).toBeDefined();
});

it('has its keys as a table, masked, and says Never of a date that there is none of', async () => {
  const page = open();
  await userEvent.click(await screen.findByRole('tab', { name: 'API Keys' }));
  const [name, key, status, requests, lastUsed, expires] = await cellsOf(/Website/);
  expect(name).toContain('Website');
  expect(key).toMatch(/^•{32}0001/);
  expect(status).toContain('Active');
  expect([requests, lastUsed, expires]).toEqual(['0', 'Never', 'Never']);
  expect(heads()).toEqual(['Name', 'Key', 'Status', 'Requests (24h)', 'Last Used', 'Expires', 'Actions']);
  expect(page.router.state.location.search).toEqual({ tab: 'api-keys' });
});
