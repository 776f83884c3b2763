import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { May } from '#client/lib/workspace-provider.tsx';
import { Icon } from '../display/icon.tsx';
import { boxIcon, keyIcon, plusIcon } from '../display/icon-shapes.gen.ts';
import classes from './create-menu.module.css';
import { useDialogs } from './dialogs-provider.tsx';
import { useNavigation } from './use-navigation.ts';

export function CreateMenu() {
  const { open } = useDialogs();
  const navigate = useNavigate();
  const pages = useNavigation();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button variant="default" className={classes['button'] ?? ''} leftSection={<Icon shape={plusIcon} />}>
          Create
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <May atLeast="editor">
          {pages.map(
            ({ to, icon, create }) =>
              create && (
                <Menu.Item key={to} leftSection={<Icon shape={icon} />} onClick={() => open(create.dialog)}>
                  {create.label}
                </Menu.Item>
              ),
          )}
        </May>
        <May atLeast="admin">
          <Menu.Item leftSection={<Icon shape={keyIcon} />} onClick={() => navigate({ to: '/projects' })}>
            New API Key
          </Menu.Item>
        </May>
        <May atLeast="editor">
          <Menu.Divider />
        </May>
        <Menu.Item leftSection={<Icon shape={boxIcon} />} onClick={() => open('create-workspace')}>
          New Workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
