import { Suspense, useState } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { AlertRule } from '#shared/alerts.ts';
import { AlertsPanel } from './alerts-panel.tsx';
import { DeleteRuleDialog } from './delete-rule-dialog.tsx';
import classes from './monitoring-page.module.css';
import { RulesPanel } from './rules-panel.tsx';

/** Fetched after the page is painted: its schema weighs more than the page. */
const RuleDialog = lazyPart(async () => ({ default: (await import('./rule-dialog.tsx')).RuleDialog }));

/** What is being done: a rule is made, edited or deleted. */
type Asked = { kind: 'new' } | { kind: 'edit'; rule: AlertRule } | { kind: 'delete'; rule: AlertRule };

/** What was raised, and what raises it. */
export function AlertsSection({ workspaceId }: { workspaceId: number }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const shown = useLast(asked);
  const close = () => setAsked(null);
  return (
    <div className={classes['charts']}>
      <AlertsPanel workspaceId={workspaceId} onNewRule={() => setAsked({ kind: 'new' })} />
      <RulesPanel
        workspaceId={workspaceId}
        onNew={() => setAsked({ kind: 'new' })}
        onEdit={(rule) => setAsked({ kind: 'edit', rule })}
        onDelete={(rule) => setAsked({ kind: 'delete', rule })}
      />
      <Suspense>
        <RuleDialog
          opened={asked?.kind === 'new' || asked?.kind === 'edit'}
          workspaceId={workspaceId}
          rule={shown?.kind === 'edit' ? shown.rule : null}
          onClose={close}
        />
      </Suspense>
      <DeleteRuleDialog rule={asked?.kind === 'delete' ? asked.rule : null} onClose={close} />
    </div>
  );
}
