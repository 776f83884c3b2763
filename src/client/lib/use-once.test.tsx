import { renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useOnce } from './use-once.ts';

it('drops what is sent again, before and after the answer', async () => {
  const sent: string[] = [];
  const { result } = renderHook(() => useOnce(async (name: string) => void sent.push(name)));
  result.current('shop');
  result.current('shop');
  await Promise.resolve();
  result.current('shop');
  expect(sent).toEqual(['shop']);
});

it('sends again after a failure', async () => {
  let tries = 0;
  const { result } = renderHook(() =>
    useOnce(async (_: string) => {
      tries += 1;
      throw new Error('refused');
    }),
  );
  result.current('shop');
  await waitFor(() => {
    result.current('shop');
    expect(tries).toBeGreaterThan(1);
  });
});

it('tells one thing from the next by its key', () => {
  const sent: number[] = [];
  const { result } = renderHook(() =>
    useOnce(
      async ({ id }: { id: number }) => void sent.push(id),
      ({ id }) => id,
    ),
  );
  for (const id of [1, 1, 2, 2]) result.current({ id });
  expect(sent).toEqual([1, 2]);
});
