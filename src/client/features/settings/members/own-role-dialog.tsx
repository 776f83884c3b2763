import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { asRole, roleWords } from '#client/lib/role-words.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { Role } from '#shared/roles.ts';
import type { OwnWorkspace } from '#shared/workspaces.ts';

interface OwnRoleDialogProps {
  workspace: OwnWorkspace;
  /** What the reader would be; null: nothing is asked. */
  role: Role | null;
  onConfirm: (role: Role) => void;
  onClose: () => void;
}

/** Whoever gives away what the own role may cannot take it back: nothing else asks for that. */
export function OwnRoleDialog({ workspace, role, onConfirm, onClose }: OwnRoleDialogProps) {
  const shown = useLast(role);
  return (
    <ConfirmDialog
      opened={role !== null}
      title="Change your own role?"
      confirmLabel="Change my role"
      onConfirm={() => role && onConfirm(role)}
      onClose={onClose}
    >
      You go on in <strong dir="auto">{workspace.name}</strong> {shown && asRole(shown)} at once
      {shown && ` (${roleWords[shown].may})`}. Only somebody else can give you more again.
    </ConfirmDialog>
  );
}
