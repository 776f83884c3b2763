import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { renderPart } from '#client/testing/render.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

function Steps() {
  useKeptFocus();
  const [step, setStep] = useState(1);
  return (
    <Dialog opened onClose={() => {}} title="Upload">
      {step === 1 && (
        <button type="button" onClick={() => setStep(2)}>
          Send
        </button>
      )}
      {step === 2 && <p>Sending</p>}
      {step === 2 && (
        <a href="/elsewhere" data-autofocus>
          Cancel
        </a>
      )}
    </Dialog>
  );
}

it('a dialog that goes on to its next step keeps the focus', async () => {
  renderPart(<Steps />);
  const send = await screen.findByRole('button', { name: 'Send' });
  send.focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Sending');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Cancel')));
});

/** A row with a button that stands for its menu until the menu's code is there. */
function Row({ label }: { label: string | null }) {
  useKeptFocus();
  return (
    <main>
      <h1 tabIndex={-1}>Rows</h1>
      {label !== null && (
        <button key={label} type="button" aria-label="Actions for films">
          {label}
        </button>
      )}
    </main>
  );
}

it.each([
  ['the control that took its place', 'the menu', 'Actions for films'],
  ['the heading where none did', null, 'Rows'],
])('a control that is gone leaves the focus to %s', async (_, next, name) => {
  let show = (_label: string | null) => {};
  function Rows() {
    const [label, setLabel] = useState<string | null>('waiting');
    show = setLabel;
    return <Row label={label} />;
  }
  renderPart(<Rows />);
  (await screen.findByText('waiting')).focus();
  act(() => show(next));
  await waitFor(() =>
    expect(document.activeElement).toBe(next ? screen.getByLabelText(name) : screen.getByText(name)),
  );
});
