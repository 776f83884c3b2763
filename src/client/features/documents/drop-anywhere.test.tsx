import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { DialogsProvider, useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { renderPart } from '#client/testing/render.tsx';
import type {} from './dialogs.ts';
import { DropAnywhere } from './drop-anywhere.tsx';

/** Answers whether the browser's own handling, which opens the file in place of the page, is prevented. */
function drag(kind: 'dragover' | 'drop', types: string[], target: EventTarget = document.body): boolean {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'dataTransfer', { value: { types, files: [], dropEffect: 'copy' } });
  target.dispatchEvent(event);
  return event.defaultPrevented;
}

function Opener() {
  const { open, opened } = useDialogs();
  return (
    <button type="button" onClick={() => open('import-documents', {})}>
      {opened ? 'is open' : 'open'}
    </button>
  );
}

it('a file that is dropped beside an open dialog is not opened by the browser', async () => {
  renderPart(
    <DialogsProvider>
      <DropAnywhere />
      <Opener />
    </DialogsProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'open' }));
  await screen.findByRole('button', { name: 'is open' });
  expect(drag('dragover', ['Files'])).toBe(true);
  expect(drag('drop', ['Files'])).toBe(true);
  expect(screen.queryByText('Drop files to import them')).toBe(null);
  // Text that is dragged into a field is the browser's.
  expect(drag('dragover', ['text/plain'])).toBe(false);
});
