import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { AlertRule } from '#shared/alerts.ts';

interface DeleteRuleDialogProps {
  /** `null` while nothing is to be deleted. */
  rule: AlertRule | null;
  onClose: () => void;
}

export function DeleteRuleDialog({ rule, onClose }: DeleteRuleDialogProps) {
  const shown = useLast(rule);
  const remove = trpc.alertRules.delete.useMutation({
    meta: { changes: 'alertRules' },
    onSuccess: ({ name }) => {
      onClose();
      toast({ title: 'Alert rule deleted', description: name });
    },
    onError: () => toastError('Failed to delete the rule. Please try again.'),
  });
  const send = useOnce(remove.mutateAsync, ({ id }) => id);
  return (
    <ConfirmDialog
      opened={rule !== null}
      title="Delete alert rule"
      confirmLabel="Delete rule"
      isPending={remove.isPending}
      onConfirm={() => rule && send({ id: rule.id })}
      onClose={onClose}
    >
      This deletes the rule <bdi>{shown?.name}</bdi>. An alert that it raised is resolved, and stays in the
      list.
    </ConfirmDialog>
  );
}
