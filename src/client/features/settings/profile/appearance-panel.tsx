import { Group, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { schemes } from '#client/components/shell/color-schemes.ts';
import classes from './appearance-panel.module.css';

/** Kept in this browser, not with the account: a phone and a desk have different light. */
export function AppearancePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title="Appearance">
      <Group justify="space-between" gap="md">
        <Text size="sm" c="dimmed">
          In this browser. System follows what your device is set to.
        </Text>
        <SegmentedControl
          className={classes['theme'] ?? ''}
          aria-label="Theme"
          value={colorScheme}
          onChange={(value) => {
            const scheme = schemes.find((one) => one.value === value);
            if (scheme) setColorScheme(scheme.value);
          }}
          data={schemes.map(({ value, label, icon }) => ({
            value,
            label: (
              <Group gap={6} wrap="nowrap" component="span">
                <Icon shape={icon} size={16} />
                {label}
              </Group>
            ),
          }))}
        />
      </Group>
    </Panel>
  );
}
