import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from '../display/icon.tsx';

const schemes = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'System', icon: 'monitor' },
] as const satisfies { value: string; label: string; icon: IconName }[];

/** Light, dark, or what the system says. */
export function ColorSchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = schemes.find((scheme) => scheme.value === colorScheme) ?? schemes[2];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={`Colour scheme: ${current.label}`}>
          <Icon name={current.icon} size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme.value}
            leftSection={<Icon name={scheme.icon} />}
            rightSection={scheme.value === colorScheme ? <Icon name="check" /> : null}
            onClick={() => setColorScheme(scheme.value)}
          >
            {scheme.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
