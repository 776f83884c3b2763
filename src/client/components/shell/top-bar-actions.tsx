import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { CreateMenu } from './create-menu.tsx';
import { Notifications } from './notifications.tsx';

/** The top bar's menus, which are fetched after the first paint. */
export function TopBarActions() {
  return (
    <>
      <Notifications />
      <ColorSchemeToggle />
      <CreateMenu />
    </>
  );
}
