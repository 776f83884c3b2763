import { Burger, UnstyledButton } from '@mantine/core';
import { Suspense } from 'react';
import { laterPart } from '#client/lib/lazy-part.ts';
import { Icon } from '../display/icon.tsx';
import { searchIcon } from '../display/icon-shapes.gen.ts';
import { Keys } from '../display/keys.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import classes from './top-bar.module.css';

const TopBarActions = laterPart(async () => ({
  default: (await import('./top-bar-actions.tsx')).TopBarActions,
}));

interface TopBarProps {
  onOpenMenu: () => void;
  onOpenPalette: () => void;
}

/** Where the reader is, the way to everything by name, and what can be created from anywhere. */
export function TopBar({ onOpenMenu, onOpenPalette }: TopBarProps) {
  return (
    <section aria-label="Top bar" className={classes['bar']}>
      <Burger className={classes['burger'] ?? ''} size="sm" aria-label="Open menu" onClick={onOpenMenu} />
      <Breadcrumb />
      <div className={classes['actions']}>
        <UnstyledButton
          className={classes['search'] ?? ''}
          aria-label="Search everything"
          aria-haspopup="dialog"
          onClick={onOpenPalette}
        >
          <Icon shape={searchIcon} size={16} />
          <span className={classes['hint']}>Search</span>
          <span className={classes['hint']} aria-hidden="true">
            <Keys keys={['Mod', 'K']} />
          </span>
        </UnstyledButton>
        <Suspense fallback={<span className={classes['waiting']} />}>
          <TopBarActions />
        </Suspense>
      </div>
    </section>
  );
}
