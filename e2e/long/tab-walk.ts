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
 * Presses Tab from the top of the page until the walk comes to its beginning or to its end again. An editor is left by Escape and Tab, as it says itself.
 * `isDialog`: from where a dialog has put the focus, round it once; it keeps the focus.
 */
export async function walkByTab(page: Page, { isDialog = false } = {}): Promise<WalkFaults> {
  const first = await walkOnce(page, isDialog);
  // A page that has only just come puts the focus on its heading, wherever the walk was by then.
  return first.missed.length > 0 && !isDialog ? await walkOnce(page, isDialog) : first;
}

async function walkOnce(page: Page, isDialog: boolean): Promise<WalkFaults> {
  const steps: Step[] = [];
  await page.evaluate(beginWalk, isDialog);
  let isStuck = false;
  while (steps.length < pressesMax) {
    await page.keyboard.press('Tab');
    let step = await page.evaluate(lookAtFocus);
    if (step.isStuck && step.isEditor) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      step = await page.evaluate(lookAtFocus);
    }
    // A date is day, month, year and its calendar.
    for (let part = 0; step.isStuck && step.isDate && part < 4; part += 1) {
      await page.keyboard.press('Tab');
      step = await page.evaluate(lookAtFocus);
    }
    isStuck = step.isStuck;
    if (isStuck || step.isOver) break;
    steps.push(step);
  }
  const named = (fault: (step: Step) => boolean) => steps.filter(fault).map(({ name }) => name);
  // Where nothing else could have the focus, no ring has to tell.
  const isOnlyOne = isDialog && steps.length <= 1;
  return {
    missed: await page.evaluate(listMissed),
    withoutRing: isOnlyOne ? [] : named(({ hasRing }) => !hasRing),
    unseen: named(({ isSeen }) => !isSeen),
    // From the last control of a dialog to its first.
    outOfOrder: named(({ isInOrder }) => !isInOrder).slice(isDialog ? 1 : 0),
    traps: isStuck && !isDialog ? [steps.at(-1)?.name ?? ''] : [],
  };
}

type Step = ReturnType<typeof lookAtFocus>;

interface Walk {
  visited: Element[];
  last: Element | null;
}

/** Runs in the page. */
function beginWalk(isDialog: boolean): void {
  const walk: Walk = { visited: [], last: null };
  Object.assign(window, { walk });
  if (isDialog) {
    // It is there already.
    walk.last = document.activeElement;
    if (walk.last) walk.visited.push(walk.last);
    return;
  }
  // Tab goes on from where the focus was, also when that is gone.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
}

/** Runs in the page. */
function lookAtFocus() {
  const walk = (window as unknown as { walk: Walk }).walk;
  const focused = document.activeElement;
  const name = focused?.outerHTML.slice(0, 140) ?? '';
  const nothing = {
    name,
    isStuck: false,
    isEditor: false,
    isDate: false,
    hasRing: true,
    isSeen: true,
    isInOrder: true,
  };
  if (!focused || focused === document.body) return { ...nothing, isOver: true };
  if (focused === walk.last)
    return {
      ...nothing,
      isOver: false,
      isStuck: true,
      isEditor: focused.matches('.cm-content'),
      isDate: focused.matches('input[type="date"]'),
    };
  if (walk.visited.includes(focused)) return { ...nothing, isOver: true };
  const { last } = walk;
  walk.visited.push(focused);
  walk.last = focused;

  const probe = document.createElement('i');
  probe.style.setProperty('color', 'var(--vx-ring)');
  // Dark parts of a page have a colour of their own for it.
  (focused.parentElement ?? document.body).append(probe);
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  const isRing = ({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration) =>
    outlineStyle === 'solid' && outlineWidth === '2px' && outlineColor === wanted;
  // On the control, on what stands for it beside it, or on the card that its link covers or that it fills.
  const { nextElementSibling, parentElement } = focused;
  const around = [
    focused,
    nextElementSibling,
    parentElement,
    parentElement?.parentElement,
    focused.closest('.cm-editor, div.mantine-Input-input, form[aria-label="Ask"]'),
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
    isDate: false,
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
    visited.includes(control) || visited.some((one) => control.contains(one));
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
      const isShown = control.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
      return isShown && !isOff && !groupOf(control).some(isReached);
    })
    .map((control) => control.outerHTML.slice(0, 140));
}
