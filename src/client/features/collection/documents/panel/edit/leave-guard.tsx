import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';

/** Asks before the panel is closed, or the page is left, with something typed in it. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  // One that is there before it is opened hears the very Escape that opens it, and closes again.
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      opened
      title="Discard your changes?"
      confirmLabel="Discard changes"
      onConfirm={() => proceed()}
      onClose={() => reset()}
    >
      What you have written in this document is not saved.
    </ConfirmDialog>
  );
}
