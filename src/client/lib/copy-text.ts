import { toast } from './toast.ts';

/** Copies and says so with the toast 'Copied'; resolves to whether it did. What the browser refuses is said too. */
export async function copyText(text: string, description = 'Content copied to clipboard'): Promise<boolean> {
  try {
    await write(text);
  } catch {
    toast({
      title: 'Copy failed',
      description: 'The browser refused access to the clipboard. Select the text and copy it by hand.',
      kind: 'error',
    });
    return false;
  }
  toast({ title: 'Copied', description });
  return true;
}

/** The clipboard API exists on https and localhost only; a console on a plain address in one's own network has the old way. */
async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  // Next to what was clicked: a dialog takes the focus back from anywhere else.
  (focused?.parentElement ?? document.body).append(area);
  try {
    area.select();
    if (!document.execCommand('copy')) throw new Error('The browser did not copy');
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
