import { Container, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

/** One part of the page, which the navigation's anchors lead to. */
export function Section(props: {
  id: string;
  title: string;
  lead: string;
  isTinted?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      id={props.id}
      aria-labelledby={`${props.id}-title`}
      className={classes['section']}
      data-tinted={props.isTinted || undefined}
    >
      <Container size="lg">
        <div className={classes['head']}>
          <Title order={2} id={`${props.id}-title`} className={classes['title'] ?? ''}>
            {props.title}
          </Title>
          <Text c="dimmed" className={classes['lead'] ?? ''}>
            {props.lead}
          </Text>
        </div>
        {props.children}
      </Container>
    </section>
  );
}
