import { Button, Tabs } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { logoutIcon } from '#client/components/display/icon-shapes.gen.ts';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { TabList } from '#client/components/display/tab-list.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { type SettingsTabProps, settingsTabs } from './settings-state.ts';
import { tabs } from './tabs.ts';

export function SettingsPage({ state, onChange }: SettingsTabProps) {
  return (
    <>
      <PageHeader
        title="Settings"
        description="Your account, and the workspace that is chosen at the top"
        actions={<SignOut />}
      />
      <Tabs
        value={state.tab}
        keepMounted={false}
        onChange={(value) => {
          const tab = settingsTabs.find((other) => other === value);
          if (tab) onChange({ tab });
        }}
      >
        <TabList chosen={state.tab}>
          {settingsTabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab} leftSection={<Icon shape={tabs[tab].icon} />}>
              {tabs[tab].label}
            </Tabs.Tab>
          ))}
        </TabList>
        {settingsTabs.map((tab) => {
          const { Part } = tabs[tab];
          return (
            <Tabs.Panel key={tab} value={tab} pt="md">
              <Suspense fallback={<TableSkeleton />}>
                <Part state={state} onChange={onChange} />
              </Suspense>
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}

function SignOut() {
  const { logout } = useAuth();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await logout();
    setLeaving(false);
  };
  return (
    <Button variant="default" leftSection={<Icon shape={logoutIcon} />} loading={isLeaving} onClick={leave}>
      Sign Out
    </Button>
  );
}
