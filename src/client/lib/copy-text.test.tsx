import { afterEach, expect, it, vi } from 'vitest';
import { copyText } from './copy-text.ts';
import { clearToasts, currentToast } from './toast.ts';

afterEach(() => {
  clearToasts();
  vi.unstubAllGlobals();
});

const withClipboard = (writeText: ((text: string) => Promise<void>) | null) =>
  vi.stubGlobal('navigator', writeText ? { clipboard: { writeText } } : {});

it('says what was copied', async () => {
  const written: string[] = [];
  withClipboard(async (text) => void written.push(text));
  expect(await copyText('vk_1', 'API key copied to clipboard')).toBe(true);
  expect(written).toEqual(['vk_1']);
  expect(currentToast()).toMatchObject({ title: 'Copied', description: 'API key copied to clipboard' });
});

it('does not say it when the browser refused', async () => {
  withClipboard(async () => {
    throw new Error('NotAllowedError');
  });
  expect(await copyText('vk_1')).toBe(false);
  expect(currentToast()).toMatchObject({ title: 'Copy failed', kind: 'error' });
});

it('copies the old way where there is no clipboard API, and gives the focus back', async () => {
  withClipboard(null);
  const button = document.body.appendChild(document.createElement('button'));
  button.focus();
  let selected = '';
  document.execCommand = (command) => {
    selected = document.querySelector('textarea')?.value ?? '';
    return command === 'copy';
  };
  expect(await copyText('plain')).toBe(true);
  expect(selected).toBe('plain');
  expect(document.querySelector('textarea')).toBe(null);
  expect(document.activeElement).toBe(button);
});
