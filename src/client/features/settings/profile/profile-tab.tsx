import { useAuth } from '#client/lib/auth-provider.tsx';
import { Panels } from '../panels.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';

export function ProfileTab() {
  const { user } = useAuth();
  if (!user) return null;
  return (
    <Panels>
      <ProfilePanel key={user.id} user={user} />
      <AppearancePanel />
    </Panels>
  );
}
