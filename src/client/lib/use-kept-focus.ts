import { useEffect } from 'react';

const overlays = '[role="dialog"], [role="menu"]';
const focusable = 'a, button, input, textarea, select, summary, [tabindex]';

/**
 * The focus never falls to the bottom of nowhere: when a dialog that was opened from a menu closes it goes back to the menu's
 * button, when the control that had it is removed (a deleted row) it goes to the page's heading, and when a dialog goes on to its
 * next step it goes to what that step begins with.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let wasInOverlay = false;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      wasInOverlay = target.closest(overlays) !== null;
      if (!wasInOverlay) last = target;
    };
    // A click on nothing takes the focus away on purpose.
    const forget = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest(`${focusable}, ${overlays}`)) return;
      last = null;
      wasInOverlay = false;
    };
    const restore = () => {
      if (document.activeElement !== document.body) return;
      if (wasInOverlay && stayInDialog()) return;
      if (!last) return;
      if (last.isConnected && !wasInOverlay) return;
      if (document.querySelector(overlays)) return;
      const target = last.isConnected ? last : document.querySelector<HTMLElement>('main h1[tabindex]');
      last = null;
      wasInOverlay = false;
      target?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(restore);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
}

/** False: none is open. The last one lies above the others. */
function stayInDialog(): boolean {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
  const target = dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog;
  target?.focus({ preventScroll: true });
  return dialog !== undefined;
}
