import { ActionIcon, Button, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { circleCheckIcon, circleDashedIcon, xIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { SampleOffers } from '#client/components/feedback/sample-offers.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useMay, useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import type { FirstSteps as Steps } from '#shared/dashboard.ts';
import { dashboardScope } from './dashboard-inputs.ts';
import classes from './first-steps.module.css';

interface Step {
  name: keyof Steps;
  title: string;
  detail: string;
  action: ReactNode;
}

/** Whether the first steps are to be seen: until all are done, or the reader has put them away. */
export function useFirstSteps(workspaceId: number | undefined) {
  const [putAway, setPutAway] = useState(readPutAway);
  const may = useMay();
  const { data, isError } = trpc.dashboard.firstSteps.useQuery(
    { workspaceId: workspaceId ?? 0 },
    // A search, or a request with a key, changes them and no mutation of the console does.
    { enabled: workspaceId !== undefined, staleTime: 0, refetchOnMount: 'always' },
  );
  const isPutAway = workspaceId === undefined || putAway.includes(workspaceId);
  const isDone = data !== undefined && ownSteps(data, may).every((name) => data[name]);
  return {
    steps: data,
    // They are about writing. Where it is not known what was done, they would only stand in the way.
    isShown: may('editor') && !isPutAway && !isDone && !isError,
    putAway: () => {
      if (workspaceId === undefined) return;
      const next = [...putAway, workspaceId].slice(-workspacesRemembered);
      setPutAway(next);
      writePutAway(next);
    },
  };
}

/** Keys are an admin's to make: others are not asked for what they may not do. */
function ownSteps(steps: Steps, may: ReturnType<typeof useMay>): (keyof Steps)[] {
  const names = Object.keys(steps) as (keyof Steps)[];
  return may('admin') ? names : names.filter((name) => name !== 'hasKey' && name !== 'hasUsedKey');
}

/** What a newcomer does first, each step ticked by what is really there. */
export function FirstSteps({ steps, onPutAway }: { steps: Steps | undefined; onPutAway: () => void }) {
  const may = useMay();
  const all = useSteps(steps);
  const own = steps ? ownSteps(steps, may) : [];
  const list = all.flatMap(({ name, ...step }) =>
    own.includes(name) ? [{ ...step, isDone: steps?.[name] ?? false }] : [],
  );
  const done = list.filter(({ isDone }) => isDone).length;
  const next = list.findIndex(({ isDone }) => !isDone);
  return (
    <Panel
      title="First steps"
      detail={
        <Text size="sm" c="dimmed">
          {steps ? `${done} of ${list.length} done` : ''}
        </Text>
      }
      action={
        <ActionIcon aria-label="Put the first steps away" onClick={onPutAway}>
          <Icon shape={xIcon} />
        </ActionIcon>
      }
    >
      {steps ? (
        <ol className={classes['steps']}>
          {list.map((step, place) => (
            <li key={step.title} className={classes['step']} data-done={step.isDone || undefined}>
              <span className={classes['mark']}>
                <Icon shape={step.isDone ? circleCheckIcon : circleDashedIcon} size={20} />
              </span>
              <div className={classes['words']}>
                <span className={classes['title']}>
                  {step.title}
                  {step.isDone && <span className={classes['state']}> (done)</span>}
                </span>
                {place === next && (
                  <>
                    <Text size="sm" c="dimmed">
                      {step.detail}
                    </Text>
                    <div className={classes['action']}>{step.action}</div>
                  </>
                )}
              </div>
            </li>
          ))}
        </ol>
      ) : (
        <Skeleton height="11rem" radius="md" aria-hidden="true" />
      )}
    </Panel>
  );
}

function useSteps(steps: Steps | undefined): Step[] {
  const { open } = useDialogs();
  const { workspace, project, projects } = useWorkspace();
  const collections = trpc.collections.list.useQuery(dashboardScope({ workspace, project }));
  const newest = collections.data?.reduce<Collection | null>(
    (best, one) => (best && best.createdAt >= one.createdAt ? best : one),
    null,
  );
  const projectId = (project ?? projects[0])?.id;
  const keys = (
    <KeysLink projectId={projectId} label={steps?.hasKey ? 'Show the line to run' : 'Make a key'} />
  );
  return [
    {
      name: 'hasDocuments',
      title: 'Put documents in',
      detail: 'Load a sample, or drop a file of your own anywhere on the page.',
      action: (
        <>
          <SampleOffers withLead={false} />
          <Button variant="default" size="xs" onClick={() => open('import-documents')}>
            Import a file
          </Button>
        </>
      ),
    },
    {
      name: 'hasSearched',
      title: 'Search them',
      detail: 'By words, by meaning, or both at once.',
      action: (
        <ButtonLink to="/search" size="xs">
          Search
        </ButtonLink>
      ),
    },
    {
      name: 'hasKey',
      title: 'Make an API key',
      detail: 'Your application searches with it.',
      action: keys,
    },
    {
      name: 'hasUsedKey',
      title: 'Search from outside with it',
      detail: 'Beside the keys stands a line to run in a terminal.',
      action: keys,
    },
    {
      name: 'hasTuned',
      title: 'Tune a collection',
      detail: 'Its synonyms, overrides, presets and search settings decide what comes first.',
      action: newest ? (
        <ButtonLink to="/collections/$id" params={{ id: newest.id }} search={{ tab: 'tuning' }} size="xs">
          Tune {newest.name}
        </ButtonLink>
      ) : (
        <ButtonLink to="/collections" size="xs">
          Choose a collection
        </ButtonLink>
      ),
    },
  ];
}

function KeysLink({ projectId, label }: { projectId: number | undefined; label: string }) {
  return projectId === undefined ? (
    <ButtonLink to="/projects" size="xs">
      {label}
    </ButtonLink>
  ) : (
    <ButtonLink to="/projects/$id" params={{ id: projectId }} search={{ tab: 'api-keys' }} size="xs">
      {label}
    </ButtonLink>
  );
}

const storedUnder = 'firstStepsPutAway';
const workspacesRemembered = 50;

/** Ids of workspaces. */
function readPutAway(): number[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedUnder) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'number') : [];
  } catch {
    return []; // Storage may be forbidden, or somebody else's: the steps are shown then.
  }
}

function writePutAway(workspaceIds: number[]): void {
  try {
    localStorage.setItem(storedUnder, JSON.stringify(workspaceIds));
  } catch {
    // As above.
  }
}
