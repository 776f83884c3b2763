import { useActiveAlerts } from '#client/lib/use-active-alerts.ts';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { CreateMenu } from './create-menu.tsx';
import { Notifications } from './notifications.tsx';

/** The top bar's menus, which are fetched after the first paint. */
export function TopBarActions() {
  const alerts = useActiveAlerts();
  return (
    <>
      <Notifications alerts={alerts} />
      <ColorSchemeToggle />
      <CreateMenu />
    </>
  );
}
