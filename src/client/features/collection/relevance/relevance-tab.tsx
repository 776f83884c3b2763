import { Alert, Button, Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { starIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatAgo } from '#client/lib/format.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { RelevanceMeasure, RelevanceMeasures } from '#shared/judgements.ts';
import type { SearchMode } from '#shared/search.ts';
import type { CollectionTabProps } from '../tab-props.ts';
import { CalibrationCard } from './calibration-card.tsx';
import { changeWords } from './change-words.ts';
import { ClickedCard } from './clicked-card.tsx';
import { formerOf } from './former-of.ts';
import { JudgeForm } from './judge-form.tsx';
import { JudgePanel } from './judge-panel.tsx';
import { MeasureFigures } from './measure-figures.tsx';
import { MeasureHistory } from './measure-history.tsx';
import { modeNames } from './mode-names.ts';
import { ModelCard } from './model-card.tsx';
import { QueryTable } from './query-table.tsx';
import { type JudgedRow, useJudged } from './use-judged.ts';
import { useMeasure, useMeasureAfterChange } from './use-measure.ts';

/** So many queries are measured by themselves after a change; more are measured when somebody asks. */
const measuredByItselfMax = 100;

const isMode = (value: string): value is SearchMode => value in modeNames;

/** Which queries are judged, how well they find what is relevant, and what each change has done to that. */
export function RelevanceTab({ collection, state, onChange }: CollectionTabProps) {
  const [chosen, setChosen] = useState<SearchMode | null>(null);
  const { data, error, retry } = useJudged(collection.id, chosen);
  const judge = (query: string) => onChange({ judge: query });
  const may = useMay();
  if (error) return <ErrorView error={error} title="The judgements could not be loaded" onRetry={retry} />;
  if (!data) return <TableSkeleton />;
  const { mode } = data;
  return (
    <>
      {data.rows.length === 0 ? (
        <Stack gap="lg">
          <EmptyState
            icon={starIcon}
            title="No query is judged yet"
            description={
              may('editor')
                ? 'Say for a few queries which documents are relevant: here, or by the thumbs of the search page. Then each change tells what it did to them.'
                : 'Once an editor has said for a few queries which documents are relevant, it shows here how well they are found.'
            }
          >
            {may('editor') && <JudgeForm onJudge={judge} isPrimary />}
          </EmptyState>
          {may('editor') && <ClickedCard collection={collection.id} onOpen={judge} />}
        </Stack>
      ) : (
        <Stack gap="lg">
          <Measuring data={data} collection={collection.id} isIdle={!state.judge} onMode={setChosen} />
          {may('editor') && <JudgeForm onJudge={judge} isPrimary={false} />}
          <QueryTable
            rows={data.rows}
            page={state.judged}
            onPage={(judged) => onChange({ judged })}
            onOpen={judge}
          />
          {data.measures.length > 0 && <MeasureHistory measures={data.measures} />}
          {may('editor') && <ClickedCard collection={collection.id} onOpen={judge} />}
          <CalibrationCard collection={collection.id} mode={mode} />
          {may('editor') && data.rows.some(({ relevant }) => relevant > 0) && (
            <ModelCard collection={collection} mode={mode} />
          )}
        </Stack>
      )}
      <JudgePanel
        collection={collection.id}
        query={state.judge || null}
        mode={mode}
        onClose={() => onChange({ judge: '' })}
      />
    </>
  );
}

interface MeasuringProps {
  collection: number;
  data: RelevanceMeasures & { mode: SearchMode; rows: JudgedRow[]; isSettled: boolean };
  onMode: (mode: SearchMode) => void;
  /** Nobody is judging. */
  isIdle: boolean;
}

function Measuring({ collection, data, onMode, isIdle }: MeasuringProps) {
  const { measure, cancel, isPending, error } = useMeasure(collection);
  const { mode } = data;
  const at = data.measures.findIndex((measure) => measure.mode === mode);
  const newest = data.measures[at] ?? null;
  const asked = data.rows.filter(({ relevant }) => relevant > 0).length;
  const changed = changeWords(data.changes);
  const may = useMay();
  const isMeant = may('editor') && isIdle && data.isSettled && newest !== null && changed !== '';
  const isDue = isMeant && asked > 0 && asked <= measuredByItselfMax;
  const run = () => measure(mode);
  useMeasureAfterChange({ key: isDue ? `${newest.id}: ${changed}` : null, run });
  return (
    <>
      {newest && <MeasureFigures newest={newest} former={formerOf(data.measures, at)} />}
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Search that is measured"
          value={mode}
          onChange={(value) => isMode(value) && onMode(value)}
          data={Object.entries(modeNames).map(([value, label]) => ({ value, label }))}
        />
        {may('editor') && <MeasureButton {...{ isPending, measure: run, cancel }} isDisabled={asked === 0} />}
        {may('editor') && asked > 0 && (
          <ButtonLink
            to="/collections/$id"
            params={{ id: collection }}
            search={{ tab: 'tuning', on: 'judged', by: mode }}
            size="xs"
            variant="default"
          >
            Compare a change
          </ButtonLink>
        )}
        <Text size="sm" c="dimmed" role="status">
          {isPending ? (
            <>
              <Loader size={12} mr={6} aria-hidden="true" />
              Searching for {asked} {asked === 1 ? 'query' : 'queries'} …
            </>
          ) : (
            standing({ newest, mode, changed, asked })
          )}
        </Text>
      </Group>
      {error && !isPending && (
        <Alert color="red" title="It could not be measured">
          {error.message}
        </Alert>
      )}
    </>
  );
}

interface MeasureButtonProps {
  isPending: boolean;
  isDisabled: boolean;
  measure: () => void;
  cancel: () => void;
}

function MeasureButton({ isPending, isDisabled, measure, cancel }: MeasureButtonProps) {
  return isPending ? (
    <Button size="xs" variant="default" onClick={cancel}>
      Cancel
    </Button>
  ) : (
    <Button size="xs" variant="default" onClick={measure} disabled={isDisabled}>
      Measure
    </Button>
  );
}

interface Standing {
  newest: RelevanceMeasure | null;
  mode: SearchMode;
  changed: string;
  asked: number;
}

function standing({ newest, mode, changed, asked }: Standing): string {
  if (asked === 0) return 'No document is judged relevant yet.';
  const search = `${modeNames[mode]} search`;
  if (newest === null) return `${search} is not measured yet.`;
  const when = `${search} was measured ${formatAgo(newest.measuredAt)}`;
  return changed === '' ? `${when}; nothing was changed since.` : `${when}; since then ${changed}.`;
}
