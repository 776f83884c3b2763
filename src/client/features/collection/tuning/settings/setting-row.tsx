import { Badge, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './setting-row.module.css';

interface SettingRowProps {
  label: string;
  /** What it does, in plain words. */
  description: string;
  /** It differs from the default, or will once it is saved. */
  isSet: boolean;
  isChanged: boolean;
  /** What it is without being set. */
  defaultText: string;
  onReset: () => void;
  children: ReactNode;
}

/** A setting with what it means; one that is set says so and can be given up. */
export function SettingRow(props: SettingRowProps) {
  const { label, description, isSet, isChanged, defaultText, onReset } = props;
  return (
    <div className={classes['row']}>
      <div>
        <div className={classes['head']}>
          <Text size="sm" fw={600}>
            {label}
          </Text>
          {isChanged && <Badge color="yellow">Not saved</Badge>}
          {!isChanged && isSet && <Badge>Set</Badge>}
          {isSet && (
            <Button
              size="compact-xs"
              variant="subtle"
              className={classes['reset'] ?? ''}
              aria-label={`${label}: back to the default`}
              onClick={onReset}
            >
              Back to the default: {defaultText}
            </Button>
          )}
        </div>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </div>
      <div className={classes['control']}>{props.children}</div>
    </div>
  );
}
