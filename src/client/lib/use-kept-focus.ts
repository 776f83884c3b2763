import { useEffect } from 'react';

const overlays = '[role="dialog"], [role="menu"]';
const focusable = 'a, button, input, textarea, select, summary, [tabindex]';

/**
 * The focus never falls to the bottom of nowhere: when a dialog that was opened from a menu closes it goes back to the menu's
 * button, and when the control that had it is removed (a deleted row) it goes to the page's heading.
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
      if (document.activeElement !== document.body || !last) return;
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
