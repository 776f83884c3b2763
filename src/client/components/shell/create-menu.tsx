import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
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
        <Button className={classes['button'] ?? ''} leftSection={<Icon shape={plusIcon} />}>
          Create
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {pages.map(
          ({ to, icon, create }) =>
            create && (
              <Menu.Item key={to} leftSection={<Icon shape={icon} />} onClick={() => open(create.dialog)}>
                {create.label}
              </Menu.Item>
            ),
        )}
        <Menu.Item leftSection={<Icon shape={keyIcon} />} onClick={() => navigate({ to: '/projects' })}>
          New API Key
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon shape={boxIcon} />} onClick={() => open('create-workspace')}>
          New Workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
