import type { ReactNode } from 'react';
import classes from './disclosure.module.css';
import { Icon } from './icon.tsx';
import { chevronRightIcon } from './icon-shapes.gen.ts';

/** Options that most people leave alone, folded under a line that says what they are. */
export function Disclosure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={classes['root']}>
      <summary className={classes['summary']}>
        <Icon shape={chevronRightIcon} size={16} />
        {label}
      </summary>
      <div className={classes['content']}>{children}</div>
    </details>
  );
}
