import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { checkIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { ArticleLink } from './article-link.tsx';
import classes from './quick-start.module.css';

/** The three steps to a first hit; those that are behind the reader are ticked. */
export function QuickStart({ hasCollections }: { hasCollections: boolean }) {
  return (
    <Panel title="Quick Start" action={<ArticleLink slug="quick-start">Read the steps</ArticleLink>}>
      <ol className={classes['steps']}>
        <Step number={1} title="Create Account" isDone>
          <Text size="sm" c="dimmed">
            You have one, with a workspace and a project in it.
          </Text>
        </Step>
        <Step number={2} title="Create Collection" isDone={hasCollections}>
          <Text size="sm" c="dimmed">
            Load a sample, or import JSON, NDJSON, CSV or TSV.
          </Text>
          <ButtonLink to="/collections" size="xs" variant={hasCollections ? 'default' : 'filled'}>
            {hasCollections ? 'Collections' : 'Create one'}
          </ButtonLink>
        </Step>
        <Step number={3} title="Start Searching" isDone={false}>
          <Text size="sm" c="dimmed">
            By words, by meaning or both, here and over REST.
          </Text>
          <ButtonLink to="/search" size="xs" variant={hasCollections ? 'filled' : 'default'}>
            Search
          </ButtonLink>
        </Step>
      </ol>
    </Panel>
  );
}

function Step(props: { number: number; title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className={classes['step']} data-done={props.isDone || undefined}>
      <span className={classes['number']} aria-hidden="true">
        {props.isDone ? <Icon shape={checkIcon} size={16} /> : props.number}
      </span>
      <div className={classes['words']}>
        <span className={classes['title']}>
          {props.title}
          {props.isDone && <span className={classes['state']}> (done)</span>}
        </span>
        {props.children}
      </div>
    </li>
  );
}
