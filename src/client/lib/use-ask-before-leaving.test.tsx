import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts';

function leaves(): boolean {
  return window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

it('the browser asks while something goes on, and no longer', () => {
  const { rerender, unmount } = renderHook(({ isAsked }) => useAskBeforeLeaving(isAsked), {
    initialProps: { isAsked: false },
  });
  expect(leaves()).toBe(true);
  rerender({ isAsked: true });
  expect(leaves()).toBe(false);
  rerender({ isAsked: false });
  expect(leaves()).toBe(true);
  rerender({ isAsked: true });
  unmount();
  expect(leaves()).toBe(true);
});
