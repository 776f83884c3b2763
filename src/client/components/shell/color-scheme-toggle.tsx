import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../display/icon.tsx';
import { checkIcon } from '../display/icon-shapes.gen.ts';
import { schemes } from './color-schemes.ts';

/** Light, dark, or what the system says. */
export function ColorSchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = schemes.find((scheme) => scheme.value === colorScheme) ?? schemes[2];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={`Colour scheme: ${current.label}`}>
          <Icon shape={current.icon} size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme.value}
            leftSection={<Icon shape={scheme.icon} />}
            rightSection={scheme.value === colorScheme ? <Icon shape={checkIcon} /> : null}
            onClick={() => setColorScheme(scheme.value)}
          >
            {scheme.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
