import { ActionIcon, Button, Switch, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  adjustmentsIcon,
  pencilIcon,
  plusIcon,
  trashIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { conditionWords, formatMetric } from '#client/lib/alert-words.ts';
import { toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May, useMay } from '#client/lib/workspace-provider.tsx';
import type { AlertRule } from '#shared/alerts.ts';
import { AlertTypeSign } from './alert-type.tsx';
import classes from './alerts-panel.module.css';

const valuesEveryMs = 15_000;

interface RulesPanelProps {
  workspaceId: number;
  onNew: () => void;
  onEdit: (rule: AlertRule) => void;
  onDelete: (rule: AlertRule) => void;
}

/** What raises alerts, and what each rule's metric is now. */
export function RulesPanel({ workspaceId, onNew, onEdit, onDelete }: RulesPanelProps) {
  const { data, error, refetch } = trpc.alertRules.list.useQuery(
    { workspaceId },
    { refetchInterval: valuesEveryMs },
  );
  const may = useMay();
  return (
    <Panel
      title="Alert rules"
      detail={
        <AnchorLink to="/documentation/$article" params={{ article: 'monitoring' }} hash="alerts" size="sm">
          How they work
        </AnchorLink>
      }
      action={
        data &&
        data.length > 0 && (
          <May atLeast="editor">
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<Icon shape={plusIcon} />}
              onClick={onNew}
            >
              New rule
            </Button>
          </May>
        )
      }
    >
      {error && <ErrorView error={error} title="The rules could not be loaded" onRetry={refetch} />}
      {!data && !error && <TableSkeleton />}
      {data?.length === 0 && (
        <EmptyState
          icon={adjustmentsIcon}
          title="No alert rules"
          description={
            may('editor')
              ? 'Say what is too much: errors, response times, requests, CPU, memory or disk.'
              : 'Its editors say what is too much, and everybody here is told of it.'
          }
        >
          <May atLeast="editor">
            <Button variant="default" leftSection={<Icon shape={plusIcon} />} onClick={onNew}>
              New rule
            </Button>
          </May>
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={classes['list']}>
          {data.map((rule) => (
            <RuleRow key={rule.id} rule={rule} onEdit={() => onEdit(rule)} onDelete={() => onDelete(rule)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RuleRow({ rule, onEdit, onDelete }: { rule: AlertRule; onEdit: () => void; onDelete: () => void }) {
  const { id, name, type, metric, value, isActive } = rule;
  const update = trpc.alertRules.update.useMutation({
    meta: { changes: 'alertRules' },
    onError: () => toastError('Failed to update the rule. Please try again.'),
  });
  return (
    <li className={classes['row']}>
      <AlertTypeSign type={type} />
      <div className={classes['words']}>
        <Text size="sm" fw={600} dir="auto">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {conditionWords(rule)}
        </Text>
        <Text size="xs" c="dimmed">
          {isActive ? `Now ${formatMetric(metric, value)}` : 'Paused'}
        </Text>
      </div>
      <May atLeast="editor">
        <div className={classes['tools']}>
          <Switch
            aria-label={`${name} is active`}
            checked={update.isPending ? (update.variables.isActive ?? isActive) : isActive}
            onChange={(event) => update.mutate({ id, isActive: event.currentTarget.checked })}
          />
          <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
            <Icon shape={pencilIcon} />
          </ActionIcon>
          <ActionIcon aria-label={`Delete ${name}`} onClick={onDelete}>
            <Icon shape={trashIcon} />
          </ActionIcon>
        </div>
      </May>
    </li>
  );
}
