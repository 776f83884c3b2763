import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from './render.tsx';

it('what is not found is told with the page as it stands', async () => {
  renderPart(<p>is here</p>);
  await screen.findByText('is here');
  const told = /with the text: is away[\s\S]*<p[\s\S]*is here/;
  expect(() => screen.getByText('is away')).toThrow(told);
  await expect(screen.findByText('is away', {}, { timeout: 1 })).rejects.toThrow(told);
});
