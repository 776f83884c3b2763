import { useRouterState } from '@tanstack/react-router';
import classes from './progress-line.module.css';

/** While the next page is on its way, a line above this one. What a screen reader hears is the heading, once it is there. */
export function ProgressLine() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' });
  return isPending ? <div className={classes['line']} data-testid="progress" aria-hidden="true" /> : null;
}
