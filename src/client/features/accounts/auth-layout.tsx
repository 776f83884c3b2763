import { Anchor, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Brand } from '#client/components/brand.tsx';
import classes from './auth-layout.module.css';

/** The frame of login and registration: the brand, a card, and the way to the other of the two. */
export function AuthLayout(props: {
  title: string;
  subtitle: string;
  children: ReactNode;
  footer: ReactNode;
}) {
  return (
    <main id="main" tabIndex={-1} className={classes['page']}>
      <Anchor component={Link} to="/" underline="never" aria-label="Vectora, to the start page">
        <Brand />
      </Anchor>
      <Paper className={classes['card'] ?? ''}>
        <Title order={1} tabIndex={-1} className={classes['title'] ?? ''}>
          {props.title}
        </Title>
        <Text c="dimmed" size="sm" mb="lg">
          {props.subtitle}
        </Text>
        {props.children}
      </Paper>
      <Text size="sm" c="dimmed">
        {props.footer}
      </Text>
    </main>
  );
}
