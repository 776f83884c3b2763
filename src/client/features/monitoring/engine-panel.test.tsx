import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import { engineOf, type SearchEngine } from '#shared/search-engines.ts';

function open(path: string, engine: SearchEngine) {
  serveConsole(ada, {
    'engine.get': () => engineOf(engine),
    'alertRules.list': () => [],
    'collectionHealth.list': () => [],
  });
  renderConsole(path);
}

it('tells what a search cluster refuses and does otherwise', async () => {
  open('/monitoring', 'opensearch');
  const panel = within(await screen.findByRole('region', { name: 'Search engine' }));
  expect(panel.getByText('OpenSearch')).toBeDefined();
  await userEvent.click(panel.getByText('What it does not do, or does otherwise'));
  const [refused, otherwise] = panel.getAllByRole('list').map((list) => list.textContent);
  expect(refused).toContain('group_by with fusion: rrf');
  expect(otherwise).toContain('A typo in the first letter of a word is not forgiven');
});

it('is silent about the engine in the server, which does all of it', async () => {
  open('/monitoring', 'embedded');
  await screen.findByRole('region', { name: 'Collection health' });
  expect(screen.queryByRole('region', { name: 'Search engine' })).toBeNull();
});
