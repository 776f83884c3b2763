import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { chevronDownIcon } from '#client/components/display/icon-shapes.gen.ts';
import classes from './import-dock.module.css';
import { ImportRow } from './import-row.tsx';
import { useImports } from './use-imports.ts';

/** The imports of the workspace, in the corner of every page: how far they are, and what comes after. */
export function ImportDock() {
  const imports = useImports();
  const [isFolded, setFolded] = useState(false);
  const root = useRef<HTMLElement>(null);
  const running = imports.filter(({ state }) => state === 'running').length;
  useRoomForToasts(root, imports.length > 0);
  if (imports.length === 0) return null;
  return (
    <section ref={root} aria-label="Imports" className={classes['dock']}>
      <header className={classes['head']}>
        <h2 className={classes['title']}>
          {running === 0
            ? 'Imports'
            : running === 1
              ? '1 import is running'
              : `${running} imports are running`}
        </h2>
        <ActionIcon
          aria-label={isFolded ? 'Show the imports' : 'Fold the imports'}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          <span className={classes['chevron']} data-folded={isFolded || undefined}>
            <Icon shape={chevronDownIcon} />
          </span>
        </ActionIcon>
      </header>
      <ul className={classes['list']} hidden={isFolded}>
        {imports.map((one) => (
          <ImportRow key={one.key} shown={one} onFollow={() => setFolded(true)} />
        ))}
      </ul>
    </section>
  );
}

/** Toasts stand in the same corner: they stand above it. What it lies over can be scrolled out. */
function useRoomForToasts(root: { current: HTMLElement | null }, isShown: boolean): void {
  useEffect(() => {
    const { style } = document.documentElement;
    if (!isShown || !root.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      style.setProperty('--vx-dock-height', `${height}px`);
      document.body.style.paddingBottom = `${height}px`;
    });
    observer.observe(root.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--vx-dock-height');
      document.body.style.removeProperty('padding-bottom');
    };
  }, [root, isShown]);
}
