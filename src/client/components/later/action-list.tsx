import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon, type IconShape } from '../display/icon.tsx';

export interface Action {
  label: string;
  icon: IconShape;
  onClick: () => void;
  /** Takes something away. */
  isRed?: boolean;
}

/** The menu of an `ActionMenu`. */
export function ActionList({ button, actions }: { button: ReactElement; actions: Action[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon, onClick, isRed }) => (
          <Menu.Item
            key={label}
            {...(isRed ? { color: 'red' } : {})}
            leftSection={<Icon shape={icon} />}
            onClick={onClick}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
