import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { settingsIcon } from '#client/components/display/icon-shapes.gen.ts';
import {
  type ChangeSettings,
  settingsDefaults,
  settingsState,
} from '#client/features/settings/settings-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const SettingsPage = lazyPage(() => import('#client/features/settings/settings-page.tsx'), 'SettingsPage');

export const Route = createFileRoute('/_console/settings')({
  staticData: {
    nav: { label: 'Settings', icon: settingsIcon, order: 110, letter: 'T', isBottom: true },
  },
  validateSearch: settingsState,
  search: { middlewares: [stripSearchParams(settingsDefaults)] },
  head: () => pageTitle('Settings'),
  component: preloading(SettingsPage, Settings),
});

function Settings() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  // Another tab begins with nothing of the former one's.
  const change: ChangeSettings = (next, options) =>
    navigate({
      search: (previous) => (next.tab === undefined ? { ...previous, ...next } : next),
      replace: options?.replace ?? false,
      resetScroll: false,
    });
  return <SettingsPage state={state} onChange={change} />;
}
