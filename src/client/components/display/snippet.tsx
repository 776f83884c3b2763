import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Copied, CopyButton } from '../fields/copy-button.tsx';
import classes from './snippet.module.css';

interface SnippetProps {
  title: string;
  /** What is shown; a secret in it is masked. */
  code: string;
  /** What is copied when it differs from what is shown. */
  copied?: string | (() => Promise<Copied | null>) | undefined;
  copyLabel?: string;
  /** Beside the title: what in the code can be chosen. */
  choice?: ReactNode;
}

/** A command made of the reader's own values, ready to paste. */
export function Snippet({ title, code, copied, copyLabel = 'Copy command', choice }: SnippetProps) {
  return (
    <Paper component="section" aria-label={title} withBorder className={classes['root'] ?? ''}>
      <div className={classes['top']}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <div className={classes['actions']}>
          {choice}
          <CopyButton value={copied ?? code} label={copyLabel} />
        </div>
      </div>
      {/* Wider than a phone: it scrolls, so the keyboard must be able to reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
      <pre className={classes['code']} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </Paper>
  );
}
