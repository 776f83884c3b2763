import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { MethodBadge } from './method-badge.tsx';

it('tells the methods apart by their look: reading is quiet, writing is full, replacing is a line, deleting is red', async () => {
  renderPart(
    (['GET', 'POST', 'PUT', 'DELETE'] as const).map((method) => <MethodBadge key={method} method={method} />),
  );
  const lookOf = async (method: string) => {
    const badge = (await screen.findByText(method)).closest<HTMLElement>('.mantine-Badge-root');
    return [badge?.dataset['variant'], badge?.style.getPropertyValue('--badge-bg')];
  };
  expect(await lookOf('GET')).toEqual(['light', 'var(--mantine-color-gray-light)']);
  expect(await lookOf('POST')).toEqual(['filled', 'var(--mantine-color-iris-filled)']);
  expect((await lookOf('PUT'))[0]).toBe('outline');
  expect(await lookOf('DELETE')).toEqual(['filled', 'var(--mantine-color-red-filled)']);
});
