import { UnstyledButton } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { IconShape } from '#client/components/display/icon.tsx';
import { Icon } from '#client/components/display/icon.tsx';
import {
  chevronRightIcon,
  keyIcon,
  plusIcon,
  searchIcon,
  uploadIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { May } from '#client/lib/workspace-provider.tsx';
import classes from './quick-actions.module.css';

export function QuickActions() {
  const { open } = useDialogs();
  return (
    <Panel title="Quick Actions">
      <ul className={classes['list']}>
        <May atLeast="editor">
          <li>
            <UnstyledButton className={classes['action'] ?? ''} onClick={() => open('create-collection')}>
              <Words icon={plusIcon} label="Create Collection" detail="A place for documents to search" />
            </UnstyledButton>
          </li>
          <li>
            <ActionLink to="/collections" onClick={() => open('import-documents')}>
              <Words icon={uploadIcon} label="Upload Documents" detail="JSON, NDJSON, CSV or TSV" />
            </ActionLink>
          </li>
        </May>
        <May atLeast="admin">
          <li>
            <ActionLink to="/projects">
              <Words icon={keyIcon} label="Generate API Key" detail="For a project's applications" />
            </ActionLink>
          </li>
        </May>
        <li>
          <ActionLink to="/search">
            <Words icon={searchIcon} label="Search Console" detail="By words, by meaning or both" />
          </ActionLink>
        </li>
      </ul>
    </Panel>
  );
}

const ActionLink = createLink((props: ComponentProps<'a'>) => <a {...props} className={classes['action']} />);

function Words({ icon, label, detail }: { icon: IconShape; label: string; detail: string }) {
  return (
    <>
      <span className={classes['icon']}>
        <Icon shape={icon} size={18} />
      </span>
      <span className={classes['words']}>
        <span className={classes['label']}>{label}</span>
        <span className={classes['detail']}>{detail}</span>
      </span>
      <Icon shape={chevronRightIcon} size={16} />
    </>
  );
}
