import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearToasts, toast } from '#client/lib/toast.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  cleanup();
  act(clearToasts);
  vi.useRealTimers();
});

const show = (content: Parameters<typeof toast>[0]) => act(() => toast(content));
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const region = () => screen.getByRole('region', { name: 'Notification' });
const isShown = (title: string) => within(region()).queryByText(title) !== null;

function renderToaster() {
  render(
    <MantineProvider env="test">
      <Toaster />
    </MantineProvider>,
  );
}

describe('Toaster', () => {
  it('shows a toast in the region Notification for 5000 ms', () => {
    renderToaster();
    show({ title: 'Project created', description: 'Storefront' });
    expect(isShown('Project created')).toBe(true);
    expect(isShown('Storefront')).toBe(true);
    pass(4_900);
    expect(isShown('Project created')).toBe(true);
    pass(200);
    expect(isShown('Project created')).toBe(false);
  });

  it('shows one at a time', () => {
    renderToaster();
    show({ title: 'first' });
    show({ title: 'second' });
    expect([isShown('first'), isShown('second')]).toEqual([false, true]);
  });

  it('keeps an action for 10 s and runs it', () => {
    const onClick = vi.fn();
    renderToaster();
    show({ title: 'Collection deleted', action: { label: 'Undo', altText: 'Undo the deletion', onClick } });
    show({ title: 'Copied' });
    pass(9_900);
    expect(isShown('Collection deleted')).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(onClick).toHaveBeenCalledOnce();
    expect([isShown('Collection deleted'), isShown('Copied')]).toEqual([false, true]);
  });

  it('is reached by F8 and closed by its button', () => {
    renderToaster();
    show({ title: 'Copied' });
    act(() => {
      fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
    });
    expect(region().contains(document.activeElement)).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(isShown('Copied')).toBe(false);
  });
});
