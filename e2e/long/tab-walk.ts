import type { Page } from '@playwright/test';

/** What a walk by Tab finds wrong; each names the control. */
export interface WalkFaults {
  /** Could be used with a mouse, and Tab never came there. */
  missed: string[];
  /** Has the focus, and no ring of ours shows it. */
  withoutRing: string[];
  /** Has the focus out of sight. */
  unseen: string[];
  /** Stands in the page before the one that had the focus before it. */
  outOfOrder: string[];
  /** Did not let the focus go. */
  traps: string[];
}

const pressesMax = 400;

/**
 * Presses Tab from the top of the page, or of what floats over it, until the walk comes to its beginning or to its end again. An editor is left by
 * Escape and Tab, as it says itself.
 */
export async function walkByTab(page: Page): Promise<WalkFaults> {
  await page.evaluate(prepareWalk);
  const faults: WalkFaults = { missed: [], withoutRing: [], unseen: [], outOfOrder: [], traps: [] };
  for (let presses = 0; presses < pressesMax; presses += 1) {
    await page.keyboard.press('Tab');
    let step = await page.evaluate(lookAtFocus);
    if (step.isStuck && step.isEditor) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      step = await page.evaluate(lookAtFocus);
    }
    if (step.isOver) break;
    if (step.isStuck) {
      faults.traps.push(step.name);
      break;
    }
    if (!step.hasRing) faults.withoutRing.push(step.name);
    if (!step.isSeen) faults.unseen.push(step.name);
    if (!step.isInOrder) faults.outOfOrder.push(step.name);
  }
  faults.missed = await page.evaluate(listMissed);
  return faults;
}

interface Walk {
  visited: Element[];
  last: Element | null;
}

/** Runs in the page. */
function prepareWalk(): void {
  const walk: Walk = { visited: [], last: null };
  Object.assign(window, { walk });
  const top = document.querySelector<HTMLElement>('[role="dialog"]');
  if (!top) (document.activeElement as HTMLElement | null)?.blur();
}

/** Runs in the page. */
function lookAtFocus() {
  const walk = (window as unknown as { walk: Walk }).walk;
  const focused = document.activeElement;
  const name = focused?.outerHTML.slice(0, 140) ?? '';
  const nothing = { name, isStuck: false, isEditor: false, hasRing: true, isSeen: true, isInOrder: true };
  if (!focused || focused === document.body) return { ...nothing, isOver: true };
  if (focused === walk.last)
    return { ...nothing, isOver: false, isStuck: true, isEditor: focused.matches('.cm-content') };
  if (walk.visited.includes(focused)) return { ...nothing, isOver: true };
  const { last } = walk;
  walk.visited.push(focused);
  walk.last = focused;

  const probe = document.createElement('i');
  probe.style.setProperty('color', 'var(--vx-ring)');
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  const isRing = ({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration) =>
    outlineStyle === 'solid' && outlineWidth === '2px' && outlineColor === wanted;
  // On the control, on what stands for it beside it, or on the card that its link covers.
  const { nextElementSibling, parentElement } = focused;
  const around = [
    focused,
    nextElementSibling,
    parentElement,
    parentElement?.parentElement,
    focused.closest('.cm-editor'),
  ];
  const styles = around.flatMap((element) =>
    element ? [getComputedStyle(element), getComputedStyle(element, '::after')] : [],
  );

  // What is too small to be seen stands for something beside it.
  const own = focused.getBoundingClientRect();
  const box = own.width < 4 || own.height < 4 ? (parentElement ?? focused).getBoundingClientRect() : own;
  const isSeen =
    box.bottom > 0 &&
    box.right > 0 &&
    box.top < window.innerHeight &&
    box.left < window.innerWidth &&
    box.width > 0;
  const isInOrder =
    last === null ||
    !last.isConnected ||
    Boolean(last.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING);
  return {
    name,
    isOver: false,
    isStuck: false,
    isEditor: false,
    hasRing: styles.some(isRing),
    isSeen,
    isInOrder,
  };
}

/** Runs in the page. */
function listMissed(): string[] {
  const { visited } = (window as unknown as { walk: Walk }).walk;
  const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter(
    (one) => one.getClientRects().length > 0,
  );
  const within = dialogs.at(-1) ?? document.body;
  const controls = within.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, [role="button"], [role="tab"], [role="checkbox"], [role="switch"], [role="slider"], [contenteditable="true"], summary, [tabindex="0"]',
  );
  const isReached = (control: Element) =>
    visited.includes(control) || visited.some((one) => control.contains(one) || one.contains(control));
  // Of tabs, radio buttons and menus one takes the focus, and the arrows lead to the others.
  const groupOf = (control: HTMLElement) => {
    if (control instanceof HTMLInputElement && control.type === 'radio')
      return [...document.querySelectorAll<HTMLElement>(`input[name="${CSS.escape(control.name)}"]`)];
    const list = control.matches('[role="tab"], [role="menuitem"]')
      ? control.closest('[role="tablist"], [role="menu"]')
      : null;
    return list ? [...list.querySelectorAll<HTMLElement>('[role="tab"], [role="menuitem"]')] : [control];
  };
  return [...controls]
    .filter((control) => {
      const isOff =
        control.matches(
          ':disabled, [aria-disabled="true"], [data-disabled], [type="hidden"], [aria-hidden="true"]',
        ) || control.closest('[inert], [aria-hidden="true"], [hidden]') !== null;
      const { visibility, display } = getComputedStyle(control);
      const isShown = control.getClientRects().length > 0 && visibility !== 'hidden' && display !== 'none';
      return isShown && !isOff && !groupOf(control).some(isReached);
    })
    .map((control) => control.outerHTML.slice(0, 140));
}
