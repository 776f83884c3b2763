import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';

/** Asks before changes that are not saved are left: by another tab or page, or by closing the window. */
export function UnsavedChanges({ hasChanges }: { hasChanges: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasChanges && (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave, and lose the changes"
      onConfirm={() => blocker.proceed?.()}
      onClose={stay}
    >
      What you changed in Tuning is not saved.
    </ConfirmDialog>
  );
}

function tabOf(search: object): unknown {
  return 'tab' in search ? search.tab : undefined;
}
