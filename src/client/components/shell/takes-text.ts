/** What is ticked, chosen or pushed is an input too, and takes no letters. */
const withoutText = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];
const inputs = `input${withoutText.map((type) => `:not([type="${type}"])`).join('')}`;
const fields = `${inputs}, textarea, select, [contenteditable]:not([contenteditable="false"])`;

/** Whether a key that is pressed there is typed, so that it is no shortcut. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(fields) !== null;
}
