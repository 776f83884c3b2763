import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const script = readFileSync('public/boot.js', 'utf8');

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div class="vx-boot"><p>Vectora is loading …</p></div>';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  document.body.innerHTML = '';
});

/** Opens the page once; its code does not come. */
function openPage(): { reload: ReturnType<typeof vi.fn> } {
  const heard: ((event: { target: unknown }) => void)[] = [];
  const reload = vi.fn();
  vi.stubGlobal('fetch', async () => new Response('ok'));
  const listen = (kind: string, listener: (typeof heard)[number]) => {
    if (kind === 'error') heard.push(listener);
  };
  new Function('addEventListener', 'location', script)(listen, { reload });
  for (const listener of heard) listener({ target: document.createElement('script') });
  return { reload };
}

it('a page whose code never comes is opened again more and more seldom', async () => {
  for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    const { reload } = openPage();
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledOnce();
  }
  expect(document.querySelector('p')?.textContent).toContain('cannot be reached');
});
