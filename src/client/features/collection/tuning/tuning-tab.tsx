import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { CollectionTabProps } from '../tab-props.ts';
import { ComparePanel } from './compare/compare-panel.tsx';
import { OverridesPart } from './overrides/overrides-part.tsx';
import { silenceOf } from './overrides/silence.ts';
import { PreviewPanel } from './preview/preview-panel.tsx';
import { usePreview } from './preview/use-preview.ts';
import { SettingsPart } from './settings/settings-part.tsx';
import { SynonymsPart } from './synonyms/synonyms-part.tsx';
import { type TuningDraft, toRuleDraft, wordsOf } from './tuning-draft.ts';
import { type TuningPart, type TuningState, triedOn, tuningParts } from './tuning-state.ts';
import classes from './tuning-tab.module.css';
import { UnsavedChanges } from './unsaved-changes.tsx';
import { useHitActions } from './use-hit-actions.ts';
import { type Tuning, useTuning } from './use-tuning.ts';

const labels: Record<TuningPart, string> = {
  settings: 'Settings',
  synonyms: 'Synonyms',
  overrides: 'Overrides',
};
/** Behind the last key, until the address has it. */
const pauseMs = 300;

/** How the collection is searched: what is changed is tried beside it before it is saved. */
export function TuningTab({ collection, state, onChange }: CollectionTabProps) {
  const { id } = collection;
  const tuning = useTuning(id);
  const may = useMay();
  const { query, type } = useTriedQuery(state, tuning.draft, (text) =>
    onChange({ try: text }, { replace: true }),
  );
  const { override } = tuning.draft;
  const [openedAt] = useState(Date.now);
  const from = override?.override.from;
  const draft = toRuleDraft(tuning.draft, tuning.settings);
  // One that begins later is shown as it will be.
  const at = from !== undefined && Date.parse(from) > openedAt ? from : undefined;
  const preview = usePreview({ collection: id, query, by: state.by, draft, at });
  const setMode = (by: TuningState['by']) => onChange({ by }, { replace: true });
  const shown = preview.after ?? preview.before;
  const actions = useHitActions(id, tuning, {
    query,
    actingId: shown?.request.override?.id,
    onWrite: () => onChange({ part: 'overrides' }, { replace: true }),
  });
  const offered = trpc.analytics.get.useQuery({ collection: id, per_page: 6 });
  const tried = state.by === 'vector' || preview.isFetching ? null : preview.after;
  const silence = override && tried ? silenceOf(override, { request: tried.request, now: openedAt }) : null;
  return (
    <>
      {/* What can only be tried is left without a question. */}
      <UnsavedChanges hasChanges={may('editor') && Object.values(tuning.changed).some(Boolean)} />
      <div className={classes['columns']} data-part={state.part}>
        <div>
          <Parts part={state.part} changed={tuning.changed} onChange={(part) => onChange({ part })} />
          {state.part === 'settings' && <Settings collection={id} tuning={tuning} />}
          {state.part === 'synonyms' && <SynonymsPart collection={id} tuning={tuning} />}
          {state.part === 'overrides' && (
            <OverridesPart collection={id} tuning={tuning} query={query} silence={silence} />
          )}
        </div>
        <div className={classes['preview']}>
          <TriedOn on={state.on} onChange={(on) => onChange({ on })} />
          {state.on === 'judged' ? (
            <ComparePanel collection={id} {...{ tuning, draft, at }} by={state.by} onMode={setMode} />
          ) : (
            <PreviewPanel
              query={query}
              onQuery={type}
              by={state.by}
              onMode={setMode}
              preview={preview}
              offered={(offered.data?.queries ?? []).map((one) => one.query).filter((text) => text !== '*')}
              actions={actions}
            />
          )}
        </div>
      </div>
    </>
  );
}

const triedOnLabels: Record<TuningState['on'], string> = { query: 'One query', judged: 'Judged queries' };

function TriedOn({ on, onChange }: Pick<TuningState, 'on'> & { onChange: (on: TuningState['on']) => void }) {
  return (
    <SegmentedControl
      className={classes['parts'] ?? ''}
      aria-label="What the change is tried on"
      data={triedOn.map((value) => ({ value, label: triedOnLabels[value] }))}
      value={on}
      onChange={(value) => {
        const next = triedOn.find((one) => one === value);
        if (next) onChange(next);
      }}
    />
  );
}

interface PartsProps {
  part: TuningPart;
  changed: Tuning['changed'];
  onChange: (part: TuningPart) => void;
}

function Parts({ part, changed, onChange }: PartsProps) {
  return (
    <SegmentedControl
      className={classes['parts'] ?? ''}
      aria-label="What is tuned"
      data={tuningParts.map((value) => ({
        value,
        label: <PartLabel part={value} isChanged={changed[value]} />,
      }))}
      value={part}
      onChange={(value) => {
        const next = tuningParts.find((one) => one === value);
        if (next) onChange(next);
      }}
    />
  );
}

function PartLabel({ part, isChanged }: { part: TuningPart; isChanged: boolean }) {
  return (
    <>
      {labels[part]}
      {isChanged && (
        <>
          <span className={classes['unsaved']} aria-hidden="true" />
          <VisuallyHidden>, not saved</VisuallyHidden>
        </>
      )}
    </>
  );
}

function Settings({ collection, tuning }: { collection: number; tuning: Tuning }) {
  const fields = trpc.collections.fields.useQuery({ collection });
  const error = tuning.error ?? fields.error;
  const again = () => {
    void tuning.refetch();
    void fields.refetch();
  };
  if (error) return <ErrorView error={error} title="Failed to fetch search settings" onRetry={again} />;
  if (!tuning.settings || !fields.data) return <TableSkeleton />;
  const texts = fields.data.filter(({ types }) => types.includes('string')).map(({ path }) => path);
  return <SettingsPart collection={collection} tuning={tuning} saved={tuning.settings} known={texts} />;
}

/** What was typed; before that, what is written in the form is about. */
function useTriedQuery(
  { try: given, part }: TuningState,
  draft: TuningDraft,
  onSettled: (query: string) => void,
) {
  const [typed, setTyped] = useState(given === '' ? null : given);
  const settle = useDebouncedCallback(onSettled, pauseMs);
  return {
    query: typed ?? queryOf(part, draft),
    type: (query: string) => {
      setTyped(query);
      settle(query);
    },
  };
}

function queryOf(part: TuningPart, { synonym, override }: TuningDraft): string {
  if (part === 'synonyms' && synonym) return synonym.root ?? wordsOf(synonym)[0] ?? '';
  if (part === 'overrides' && override) return override.override.rule.query;
  return '';
}
