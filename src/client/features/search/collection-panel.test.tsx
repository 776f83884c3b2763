import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import { CollectionPanel } from './collection-panel.tsx';

it('says how many hits each collection has and narrows to one that has any', async () => {
  const chosen: string[] = [];
  renderPart(
    <CollectionPanel
      counts={[
        { collection: collectionRow(1, 'films'), found: 1_234 },
        { collection: collectionRow(2, 'products'), found: 0 },
      ]}
      hasCounts
      onChoose={({ name }) => chosen.push(name)}
    />,
  );
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual(['films1,234', 'products0']);
  await userEvent.click(screen.getByRole('button', { name: 'products' }));
  await userEvent.click(screen.getByRole('button', { name: 'films' }));
  expect(chosen).toEqual(['films']);
});
