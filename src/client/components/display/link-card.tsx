import { Anchor, type AnchorProps, Card, Group, Text, Title } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import classes from './link-card.module.css';

interface LinkCardProps {
  /** A `CardLink`. */
  link: ReactNode;
  /** A line below the link. */
  detail?: ReactNode;
  /** Icon buttons at the top right. */
  actions: ReactNode;
  description: string | null;
  /** What there is to say about it. */
  children: ReactNode;
  footer: ReactNode;
}

/** One thing of a grid of things, which a click anywhere on it opens. */
export function LinkCard(props: LinkCardProps) {
  return (
    <Card component="li" className={classes['card'] ?? ''}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <div className={classes['head']}>
          <Title order={2} size="h3" dir="auto" className={classes['title'] ?? ''}>
            {props.link}
          </Title>
          {props.detail && (
            <Text size="xs" c="dimmed" className={classes['detail'] ?? ''}>
              {props.detail}
            </Text>
          )}
        </div>
        <Group gap={2} wrap="nowrap" className={classes['actions'] ?? ''}>
          {props.actions}
        </Group>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} dir="auto" className={classes['description'] ?? ''}>
        {props.description || 'No description'}
      </Text>
      {props.children}
      <Group justify="space-between" gap="xs" className={classes['footer'] ?? ''}>
        {props.footer}
      </Group>
    </Card>
  );
}

/** The card's title and its link. */
export const CardLink = createLink((props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) => (
  <Anchor {...props} inherit className={classes['link'] ?? ''} />
));
