import { useAuth } from '#client/lib/auth-provider.tsx';
import { Panels } from '../panels.tsx';
import { DeleteAccountPanel } from './delete-account-panel.tsx';
import { ExportPanel } from './export-panel.tsx';

export function DataTab() {
  const { user } = useAuth();
  if (!user) return null;
  return (
    <Panels>
      <ExportPanel user={user} />
      <DeleteAccountPanel user={user} />
    </Panels>
  );
}
