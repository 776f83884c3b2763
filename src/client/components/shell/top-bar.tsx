import { Burger } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { CreateMenu } from './create-menu.tsx';
import { ProjectSelect } from './project-select.tsx';
import classes from './top-bar.module.css';
import { activeItem, useNavigation } from './use-navigation.ts';
import { WorkspaceSelect } from './workspace-select.tsx';

/** Where the reader is, in which workspace and project, and what can be created from anywhere. */
export function TopBar({ onOpenMenu }: { onOpenMenu: () => void }) {
  const navigation = useNavigation();
  const title = useLocation({ select: ({ pathname }) => activeItem(navigation, pathname)?.label });
  return (
    <section aria-label="Top bar" className={classes['bar']}>
      <Burger className={classes['burger'] ?? ''} size="sm" aria-label="Open menu" onClick={onOpenMenu} />
      <span className={classes['title']}>{title}</span>
      <div className={classes['selectors']}>
        <WorkspaceSelect />
        <ProjectSelect />
      </div>
      <div className={classes['actions']}>
        <ColorSchemeToggle />
        <CreateMenu />
      </div>
    </section>
  );
}
