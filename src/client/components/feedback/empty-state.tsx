import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IconShape } from '../display/icon.tsx';
import { Icon } from '../display/icon.tsx';
import classes from './empty-state.module.css';

/** Nothing here yet, and what to do about it: an icon, a title, a sentence, and one action as children. */
export function EmptyState(props: {
  icon: IconShape;
  title: string;
  description?: string;
  children?: ReactNode;
}) {
  return (
    <Stack className={classes['root'] ?? ''} align="center" gap="xs">
      <span className={classes['icon']}>
        <Icon shape={props.icon} size={24} />
      </span>
      <Title order={2} size="h3" ta="center">
        {props.title}
      </Title>
      {props.description && (
        <Text size="sm" c="dimmed" maw="26rem" ta="center">
          {props.description}
        </Text>
      )}
      {props.children && <div className={classes['action']}>{props.children}</div>}
    </Stack>
  );
}
