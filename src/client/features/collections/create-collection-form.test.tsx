import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { type Answers, refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow, projectRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

/** The dialog, with what was sent by it. */
async function open(more: Answers = {}) {
  const { calls } = serveConsole(ada, {
    'collections.create': (input) => ({ ...collectionRow(3, ''), ...(input as object) }),
    ...more,
  });
  renderConsole('/collections');
  await reopen();
  return { sent: () => calls.filter(({ path }) => path === 'collections.create').map(({ input }) => input) };
}

async function reopen(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'Create Collection' }));
  await screen.findByRole('dialog', { name: 'Create collection' });
}

const dialog = () => within(screen.getByRole('dialog', { name: 'Create collection' }));
const name = () => dialog().getByLabelText<HTMLInputElement>(/^Name$|^Name \*/);
const submit = () => userEvent.click(dialog().getByRole('button', { name: 'Create collection' }));

/** What a field offers, by opening it. */
async function choicesOf(label: string): Promise<(string | null)[]> {
  await userEvent.click(dialog().getByRole('combobox', { name: label }));
  const shown = await screen.findAllByRole('option');
  await userEvent.keyboard('{Escape}');
  return shown.map(({ textContent }) => textContent);
}

it('offers five dimensions and three metrics, of which 768 and cosine are the defaults', async () => {
  const { sent } = await open();
  const chosenIn = (label: string) => dialog().getByRole<HTMLInputElement>('combobox', { name: label }).value;
  expect(chosenIn('Dimension')).toBe('768 (default)');
  expect(chosenIn('Metric')).toBe('Cosine: the angle (default)');
  expect(await choicesOf('Dimension')).toEqual(['384', '512', '768 (default)', '1024', '1536']);
  expect(await choicesOf('Metric')).toEqual([
    'Cosine: the angle (default)',
    'Euclidean: the distance',
    'Dot product: angle and length',
  ]);
  await userEvent.type(name(), 'products');
  await submit();
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({ name: 'products', dimension: 768, metric: 'cosine', projectId: 1 });
});

it('sends metadata only where there is a field, with its name, its type and whether it is required', async () => {
  const { sent } = await open();
  await userEvent.type(name(), 'bare');
  await userEvent.click(dialog().getByRole('button', { name: 'Add field' }));
  await userEvent.click(dialog().getByRole('button', { name: 'Remove field 1' }));
  expect(dialog().queryByLabelText('Name of field 1')).toBeNull();
  await submit();
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).not.toHaveProperty('metadata');

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await reopen();
  await userEvent.type(name(), 'products');
  await userEvent.click(dialog().getByRole('button', { name: 'Add field' }));
  await userEvent.type(dialog().getByLabelText('Name of field 1'), 'price');
  expect(await choicesOf('Type of field 1')).toEqual(['string', 'number', 'boolean', 'date', 'geopoint']);
  await userEvent.click(dialog().getByRole('combobox', { name: 'Type of field 1' }));
  await userEvent.click(await screen.findByRole('option', { name: 'number' }));
  await userEvent.click(dialog().getByRole('checkbox', { name: 'Required' }));
  await submit();
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toMatchObject({
    metadata: { fields: [{ name: 'price', type: 'number', required: true }] },
  });
});

it('asks for a name and a project, and sends nothing without them', async () => {
  const { sent } = await open({
    'projects.list': () => [projectRow(1, 'Storefront', 1), projectRow(2, 'Intranet', 1)],
  });
  const button = dialog().getByRole<HTMLButtonElement>('button', { name: 'Create collection' });
  expect(button.disabled).toBe(true);
  await userEvent.type(name(), '  ');
  expect(button.disabled).toBe(true);
  await userEvent.type(name(), 'products');
  await submit();
  expect(await dialog().findByText('Please select a project')).toBeDefined();
  expect(sent()).toEqual([]);
});

it('says in the dialog why it was refused, and begins anew once it was closed', async () => {
  await open({
    'collections.create': () => refuse({ code: 'CONFLICT', message: 'The name is taken' }),
  });
  await userEvent.type(name(), 'films');
  await submit();
  expect((await dialog().findByRole('alert')).textContent).toContain('The name is taken');
  await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await reopen();
  expect(name().value).toBe('');
  expect(dialog().queryByRole('alert')).toBeNull();
});

it('says “Failed to create collection” where the server said nothing', async () => {
  await open({ 'collections.create': () => refuse({ code: 'INTERNAL', message: '' }) });
  await userEvent.type(name(), 'films');
  await submit();
  expect((await dialog().findByRole('alert')).textContent).toContain('Failed to create collection');
});
