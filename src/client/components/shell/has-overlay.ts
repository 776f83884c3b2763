const overlays = '[role="dialog"], [role="menu"]';

/** Whether something lies over the page. One that is fading out does no more: what is pressed then is meant for the page. */
export function hasOverlay(): boolean {
  return [...document.querySelectorAll<HTMLElement>(overlays)].some(({ style }) => style.opacity !== '0');
}
