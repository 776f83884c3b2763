import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../display/icon.tsx';
import classes from './create-menu.module.css';
import { useDialogs } from './dialogs-provider.tsx';

export function CreateMenu() {
  const { open } = useDialogs();
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button className={classes['button'] ?? ''} leftSection={<Icon name="plus" />}>
          Create
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="collection" />} onClick={() => open('create-collection')}>
          New Collection
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="folder" />} onClick={() => open('create-project')}>
          New Project
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="key" />} onClick={() => navigate({ to: '/projects' })}>
          New API Key
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="workspace" />} onClick={() => open('create-workspace')}>
          New Workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
