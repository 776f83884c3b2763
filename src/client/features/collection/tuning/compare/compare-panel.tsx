import { Alert, Button, Group, Loader, Paper, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { ButtonLink } from '#client/components/display/links.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { RelevanceComparison } from '#shared/comparisons.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import { useJudged } from '../../relevance/use-judged.ts';
import { modes } from '../preview/preview-panel.tsx';
import { toOverride } from '../tuning-draft.ts';
import type { TuningState } from '../tuning-state.ts';
import { useOverrides } from '../use-rules.ts';
import type { Tuning } from '../use-tuning.ts';
import classes from './compare-panel.module.css';
import { ComparedResult } from './compared-result.tsx';
import { countWords } from './kind-words.ts';
import { compareKey, useCompare } from './use-compare.ts';
import { usePublish } from './use-publish.ts';

interface ComparePanelProps extends Pick<TuningState, 'by'> {
  collection: number;
  tuning: Tuning;
  /** Null: nothing is changed. */
  draft: RuleDraft | null;
  /** The moment that overrides are asked of; absent: now. */
  at: string | undefined;
  onMode: (by: TuningState['by']) => void;
}

/** What the changes do to the judged queries, before they are saved, and the button that saves them all. */
export function ComparePanel(props: ComparePanelProps) {
  const { by, onMode } = props;
  return (
    <Paper withBorder component="section" aria-labelledby="tuning-compare" className={classes['panel'] ?? ''}>
      <Title order={2} size="h3" id="tuning-compare">
        Judged queries
      </Title>
      <SegmentedControl
        size="xs"
        aria-label="How it is searched"
        data={modes}
        value={by}
        onChange={(mode) => onMode(mode as TuningState['by'])}
      />
      <Content {...props} />
    </Paper>
  );
}

function Content({ collection, tuning, draft, at, by }: ComparePanelProps) {
  const { data, error, retry } = useJudged(collection, null);
  const comparing = useCompare();
  const publish = usePublish(collection, tuning, by);
  const may = useMay();
  if (error) return <ErrorView error={error} title="The judgements could not be loaded" onRetry={retry} />;
  if (!data) return <Skeleton height={160} />;
  const asked = data.rows.filter(({ relevant }) => relevant > 0).map(({ query }) => query);
  if (asked.length === 0) return <NothingJudged collection={collection} />;
  if (!may('editor'))
    return (
      <Text size="sm" c="dimmed">
        Comparing on the judged queries takes an editor. One query can be tried by everybody.
      </Text>
    );
  const input = { collection, mode: by, draft: draft ?? {}, ...(at !== undefined && { at }) };
  const { result } = comparing;
  const isCurrent = draft !== null && result?.key === compareKey(input);
  const fault = comparing.error ?? publish.error;
  return (
    <>
      <Group gap="sm">
        {comparing.isPending ? (
          <Button size="xs" variant="default" onClick={comparing.cancel}>
            Cancel
          </Button>
        ) : (
          <Button
            size="xs"
            variant={isCurrent ? 'default' : 'filled'}
            disabled={draft === null || publish.isPending}
            onClick={() => {
              publish.reset();
              comparing.compare({ input, queries: asked });
            }}
          >
            Measure on judged queries
          </Button>
        )}
        {isCurrent && !comparing.isPending && (
          <Publish
            {...{ collection, tuning }}
            isPending={publish.isPending}
            onPublish={() => publish.mutate(draft, { onSuccess: comparing.cancel })}
          />
        )}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {comparing.isPending ? (
          <>
            <Loader size={12} mr={6} aria-hidden="true" />
            Searching for {asked.length} {asked.length === 1 ? 'query' : 'queries'}, as it is and as it would
            be …{comparing.done > 0 && ` ${comparing.done} done`}
          </>
        ) : (
          standing(result?.comparison ?? null, { isChanged: draft !== null, isCurrent })
        )}
      </Text>
      {fault && !comparing.isPending && (
        <Alert color="red" title={publish.error ? 'It is not published' : 'It could not be compared'}>
          {errorMessage(fault)}
        </Alert>
      )}
      {publish.data && !result && <Published collection={collection} ndcg={publish.data.ndcg} />}
      {result && !comparing.isPending && (
        <ComparedResult key={result.key} collection={collection} comparison={result.comparison} />
      )}
    </>
  );
}

function standing(
  comparison: RelevanceComparison | null,
  { isChanged, isCurrent }: { isChanged: boolean; isCurrent: boolean },
): string {
  if (comparison === null)
    return isChanged
      ? 'Nobody finds anything else until you publish it.'
      : 'Nothing is changed yet: change settings, a synonym or an override, and see here what it does.';
  const words = countWords(comparison.queries, comparison.counts);
  return isCurrent ? words : `${words} That was another change: measure again.`;
}

interface PublishProps {
  collection: number;
  tuning: Tuning;
  isPending: boolean;
  onPublish: () => void;
}

/** A new override does not take the place of one with its name. */
function Publish({ collection, tuning, isPending, onPublish }: PublishProps) {
  const overrides = useOverrides(collection);
  const edit = tuning.draft.override;
  const name = edit?.saved === null ? toOverride(edit)?.id : undefined;
  const isTaken = name !== undefined && (overrides.data?.some(({ id }) => id === name) ?? true);
  return (
    <>
      <Button size="xs" loading={isPending} disabled={isTaken} onClick={onPublish}>
        Publish this change
      </Button>
      {isTaken && overrides.data && (
        <Text size="sm">There is an override named “{name}”: name the new one otherwise.</Text>
      )}
    </>
  );
}

function Published({ collection, ndcg }: { collection: number; ndcg: number }) {
  return (
    <Alert color="green" title="Published, and measured">
      <Group justify="space-between" gap="xs">
        <Text size="sm">nDCG@10 is {ndcg.toFixed(3)} now.</Text>
        <ToRelevance collection={collection}>See all measures</ToRelevance>
      </Group>
    </Alert>
  );
}

function NothingJudged({ collection }: { collection: number }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        No query has a relevant document yet. Judge some, and each change can be measured on them.
      </Text>
      <ToRelevance collection={collection}>Judge queries</ToRelevance>
    </Group>
  );
}

function ToRelevance({ collection, children }: { collection: number; children: string }) {
  return (
    <ButtonLink
      to="/collections/$id"
      params={{ id: collection }}
      search={{ tab: 'relevance' }}
      size="xs"
      variant="default"
    >
      {children}
    </ButtonLink>
  );
}
