import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-header.module.css';

/** The page's one `h1` (it takes the focus on navigation), a line below it, and its actions on the right. */
export function PageHeader(props: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
}) {
  return (
    <header className={classes['root']}>
      {props.above}
      <div className={classes['row']}>
        <div className={classes['words']}>
          <Title order={1} tabIndex={-1} dir="auto" className={classes['title'] ?? ''}>
            {props.title}
          </Title>
          {props.description && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {props.description}
            </Text>
          )}
        </div>
        {props.actions && (
          <Group gap="xs" className={classes['actions'] ?? ''}>
            {props.actions}
          </Group>
        )}
      </div>
    </header>
  );
}
