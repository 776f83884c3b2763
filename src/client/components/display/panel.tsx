import { Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

/** A titled part of a page (`h2`), with an optional action at the title's right. */
export function Panel(props: { title: string; detail?: ReactNode; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} className={classes['panel'] ?? ''} withBorder>
      <div className={classes['head']}>
        <Title order={2} id={id} size="h3">
          {props.title}
        </Title>
        {props.detail}
        {props.action && <div className={classes['action']}>{props.action}</div>}
      </div>
      {props.children}
    </Paper>
  );
}
