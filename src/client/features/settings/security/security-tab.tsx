import { useAuth } from '#client/lib/auth-provider.tsx';
import { Panels } from '../panels.tsx';
import type { SettingsTabProps } from '../settings-state.ts';
import { ActivityPanel } from './activity-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export function SecurityTab({ state, onChange }: SettingsTabProps) {
  const { user } = useAuth();
  if (!user) return null;
  return (
    <Panels>
      <PasswordPanel email={user.email} />
      <SecondFactorPanel />
      <SessionsPanel email={user.email} page={state.page} onPageChange={(page) => onChange({ page })} />
      <ActivityPanel />
    </Panels>
  );
}
