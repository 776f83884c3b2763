import { Button, Menu } from '@mantine/core';
import IconBox from '@tabler/icons-react/dist/esm/icons/IconBox.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs';
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
        <Button className={classes['button'] ?? ''} leftSection={<Icon shape={IconPlus} />}>
          Create
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon shape={IconStack2} />} onClick={() => open('create-collection')}>
          New Collection
        </Menu.Item>
        <Menu.Item leftSection={<Icon shape={IconFolder} />} onClick={() => open('create-project')}>
          New Project
        </Menu.Item>
        <Menu.Item leftSection={<Icon shape={IconKey} />} onClick={() => navigate({ to: '/projects' })}>
          New API Key
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon shape={IconBox} />} onClick={() => open('create-workspace')}>
          New Workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
