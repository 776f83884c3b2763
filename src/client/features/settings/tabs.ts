import type { ComponentType } from 'react';
import type { IconShape } from '#client/components/display/icon.tsx';
import {
  boxIcon,
  databaseIcon,
  historyIcon,
  lockIcon,
  userIcon,
  usersIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { SettingsTab, SettingsTabProps } from './settings-state.ts';

/** Each tab is fetched when it is opened. */
export const tabs: Record<
  SettingsTab,
  { label: string; icon: IconShape; Part: ComponentType<SettingsTabProps> }
> = {
  profile: {
    label: 'Profile',
    icon: userIcon,
    Part: lazyPart(async () => ({ default: (await import('./profile/profile-tab.tsx')).ProfileTab })),
  },
  security: {
    label: 'Security',
    icon: lockIcon,
    Part: lazyPart(async () => ({ default: (await import('./security/security-tab.tsx')).SecurityTab })),
  },
  workspace: {
    label: 'Workspace',
    icon: boxIcon,
    Part: lazyPart(async () => ({ default: (await import('./workspace/workspace-tab.tsx')).WorkspaceTab })),
  },
  members: {
    label: 'Members',
    icon: usersIcon,
    Part: lazyPart(async () => ({ default: (await import('./members/members-tab.tsx')).MembersTab })),
  },
  audit: {
    label: 'Audit log',
    icon: historyIcon,
    Part: lazyPart(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab })),
  },
  data: {
    label: 'Data',
    icon: databaseIcon,
    Part: lazyPart(async () => ({ default: (await import('./own-data/data-tab.tsx')).DataTab })),
  },
};
