import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './panels.module.css';

/** A tab's panels, no wider than that a button still belongs to what is said at its left. */
export function Panels({ children }: { children: ReactNode }) {
  return (
    <Stack gap="lg" className={classes['panels'] ?? ''}>
      {children}
    </Stack>
  );
}
