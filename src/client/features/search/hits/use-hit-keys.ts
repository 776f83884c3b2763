import { useEffect } from 'react';

const typing = 'input, textarea, select, [contenteditable="true"], [role="slider"], [role="dialog"] *';

/**
 * `/` goes to the query, `j` and `k` from hit to hit, `e` opens what a hit's score is made of; Enter opens the hit, as it is a button. Arrow down
 * leads from the query to the hits. Keys are the reader's while something is typed.
 */
export function useHitKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      const isQuery = target?.matches('input[aria-label="Search query"]') ?? false;
      const isDown = event.key === 'ArrowDown' && isQuery;
      if (!isDown && target?.matches(typing)) return;
      if (!isDown && !act(event.key, target)) return;
      if (isDown) hits()[0]?.focus();
      event.preventDefault();
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
}

/** Whether the key means something here. */
function act(key: string, target: Element | null): boolean {
  const row = target?.closest('li');
  const all = hits();
  const at = all.findIndex((hit) => row?.contains(hit));
  switch (key) {
    case '/':
      document.querySelector<HTMLInputElement>('input[aria-label="Search query"]')?.focus();
      return true;
    case 'j':
      all[Math.min(at + 1, all.length - 1)]?.focus();
      return all.length > 0;
    case 'k':
      all[Math.max(at - 1, 0)]?.focus();
      return all.length > 0;
    case 'e': {
      const why = (at === -1 ? all[0]?.closest('li') : row)?.querySelector<HTMLElement>('[data-why]');
      why?.click();
      return why != null;
    }
    default:
      return false;
  }
}

function hits(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('#search-results [data-hit]')];
}
