import { ActionIcon, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { deviceDesktopIcon, moonIcon, sunIcon } from '#client/components/display/icon-shapes.gen.ts';

const schemes = {
  light: { icon: sunIcon, label: 'Light', next: 'dark' },
  dark: { icon: moonIcon, label: 'Dark', next: 'auto' },
  auto: { icon: deviceDesktopIcon, label: 'System', next: 'light' },
} as const satisfies Record<MantineColorScheme, unknown>;

/** Light, dark, what the system says, one after the other: a menu is more than this page needs. */
export function SchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon, label, next } = schemes[colorScheme];
  return (
    <ActionIcon
      size="lg"
      aria-label={`Colour scheme: ${label}. Change to ${schemes[next].label}`}
      onClick={() => setColorScheme(next)}
    >
      <Icon shape={icon} size={20} />
    </ActionIcon>
  );
}
