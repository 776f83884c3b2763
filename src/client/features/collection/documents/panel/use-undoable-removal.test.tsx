import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const document = { id: 'a/b', title: 'Solaris' };

/** The panel with one document, whose vector is its own or not. */
function open({ hasOwnVector = false, more = {} } = {}) {
  let isThere = true;
  const asked = serveConsole(ada, {
    'collections.get': () => collectionRow(1, 'films', 1),
    'collections.fields': () => [],
    'documents.list': () => ({
      found: isThere ? 1 : 0,
      page: 1,
      per_page: 25,
      documents: isThere ? [document] : [],
    }),
    'documents.getVersion': () => ({ version: 3, own_embedding: hasOwnVector, document }),
    'documents.get': () => ({ ...document, embedding: [1, 0] }),
    'documents.delete': () => {
      isThere = false;
      return document;
    },
    'documents.write': () => {
      isThere = true;
      return { created: true, document };
    },
    ...more,
  });
  const page = renderConsole('/collections/1?open=a%2Fb');
  const inputs = (path: string) => asked.calls.filter((call) => call.path === path).map(({ input }) => input);
  return { ...page, inputs };
}

const remove = async () => userEvent.click(await screen.findByRole('button', { name: 'Delete document' }));
/** A toast takes no pointer in its first moment; a key does. */
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  button.focus();
  await userEvent.keyboard('{Enter}');
};

it('deletes at once, closes the panel, and brings the document back', async () => {
  const { inputs, router } = open();
  await remove();
  expect(await screen.findByText('Document deleted')).toBeDefined();
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('open'));
  expect(inputs('documents.delete')).toEqual([{ collection: 1, id: 'a/b' }]);
  expect(inputs('documents.get')).toEqual([]);
  await press('Undo');
  expect(await screen.findByText('Document restored')).toBeDefined();
  expect(inputs('documents.write')).toEqual([{ collection: 1, action: 'create', document }]);
});

it('brings a vector back that came with the document', async () => {
  const { inputs } = open({ hasOwnVector: true });
  await remove();
  await press('Undo');
  expect(await screen.findByText('Document restored')).toBeDefined();
  expect(inputs('documents.write')).toEqual([
    { collection: 1, action: 'create', document: { ...document, embedding: [1, 0] } },
  ]);
});

it('holds on to what could not be restored', async () => {
  let isAway = true;
  const { inputs } = open({
    more: {
      'documents.write': () =>
        isAway
          ? refuse({ code: 'UNAVAILABLE', message: 'The database is away' })
          : { created: true, document },
    },
  });
  await remove();
  await press('Undo');
  expect(await screen.findByText('The database is away')).toBeDefined();
  isAway = false;
  await press('Try again');
  expect(await screen.findByText('Document restored')).toBeDefined();
  expect(inputs('documents.write')).toHaveLength(2);
});

it('says why a document was not deleted, and keeps it open', async () => {
  const { router } = open({
    more: { 'documents.delete': () => refuse({ code: 'FORBIDDEN', message: 'Only editors may' }) },
  });
  await remove();
  expect(await screen.findByText('Only editors may')).toBeDefined();
  expect(router.state.location.search).toMatchObject({ open: 'a/b' });
});
