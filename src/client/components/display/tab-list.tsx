import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

/** A page's tabs in one row. Where it is narrower than they are it scrolls, and the chosen one is brought into it. */
export function TabList({ chosen, children }: { chosen: string; children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at what the choice has made of the row
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    if (!row.current || !tab) return;
    const before = tab.getBoundingClientRect().left - row.current.getBoundingClientRect().left;
    // Not by `scrollIntoView`, which would scroll the page as well.
    row.current.scrollLeft += before - (row.current.clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  return (
    <Tabs.List ref={row} className={classes['list'] ?? ''}>
      {children}
    </Tabs.List>
  );
}
