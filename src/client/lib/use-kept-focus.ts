import { useEffect } from 'react';

const overlays = '[role="dialog"], [role="menu"]';
const focusable = 'a, button, input, textarea, select, summary, [tabindex]';

/**
 * The focus never falls to the bottom of nowhere: when a dialog that was opened from a menu closes it goes back to the menu's
 * button, when the control that had it is removed (a deleted row) it goes to the page's heading, or to the one that took its place
 * (a menu whose code has come), and when a dialog goes on to its next step it goes to what that step begins with.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let name: string | null = null;
    let wasInOverlay = false;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      wasInOverlay = target.closest(overlays) !== null;
      if (wasInOverlay) return;
      last = target;
      name = nameOf(target);
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
      const target = last.isConnected
        ? last
        : (namesake(name) ?? document.querySelector<HTMLElement>('main h1[tabindex]'));
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

/** What its label calls a control; null: it has none. Asked while the control is there, as one that is gone has no labels. */
function nameOf(control: Element): string | null {
  const label = control.getAttribute('aria-label');
  if (label !== null) return label;
  return control instanceof HTMLInputElement ? (control.labels?.[0]?.textContent ?? null) : null;
}

/** The one control of that name. */
function namesake(name: string | null): HTMLElement | null {
  if (name === null) return null;
  const found = [...document.querySelectorAll<HTMLElement>('button, input')].filter(
    (each) => nameOf(each) === name,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** False: none is open. The last one lies above the others. */
function stayInDialog(): boolean {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
  const target = dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog;
  target?.focus({ preventScroll: true });
  return dialog !== undefined;
}
