import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { Dialog } from './dialog.tsx';

function Asking() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        again
      </button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Create project">
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

const clickBeside = () => userEvent.click(document.querySelector('.mantine-Modal-overlay') ?? document.body);
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));

it('is closed by a click beside it while nothing is typed, and not afterwards', async () => {
  renderPart(<Asking />);
  await screen.findByRole('dialog');
  await clickBeside();
  await isGone();
  await userEvent.click(screen.getByText('again'));
  await userEvent.type(await screen.findByLabelText('Name'), 'Winter');
  await clickBeside();
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Winter');
  await userEvent.keyboard('{Escape}');
  await isGone();
  await userEvent.click(screen.getByText('again'));
  await screen.findByRole('dialog');
  await clickBeside();
  await isGone();
});
