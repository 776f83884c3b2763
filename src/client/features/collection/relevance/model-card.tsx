import { Alert, Button, Group, Loader, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import { useLacks } from '#client/lib/use-engine.ts';
import type { CollectionWithProgress } from '#shared/collections.ts';
import type { ComparableModels, ComparedAmong } from '#shared/comparisons.ts';
import type { SearchMode } from '#shared/search.ts';
import { toModelName } from '../model-name.ts';
import { ComparedResult } from '../tuning/compare/compared-result.tsx';
import { countWords } from '../tuning/compare/kind-words.ts';
import classes from './measure-figures.module.css';
import { modeNames } from './mode-names.ts';
import { useCompareModel } from './use-compare-model.ts';

interface ModelCardProps {
  collection: Pick<CollectionWithProgress, 'id' | 'upgradedCount' | 'toUpgradeCount'>;
  /** Of the searches that are compared. */
  mode: SearchMode;
}

/** What another model would do to the judged queries, before the collection is moved to it. Nothing, where there is no other. */
export function ModelCard({ collection: { id: collection, ...read }, mode }: ModelCardProps) {
  const id = useId();
  const { models, compare, isPending, error, result, cancel } = useCompareModel(collection);
  const isRankedElsewhere = useLacks('another_model_by_this_engine');
  const [chosen, setChosen] = useState<string | null>(null);
  const others = models?.models.filter((model) => model !== models.live) ?? [];
  const [first] = others;
  if (models === null || first === undefined) return null;
  const model = chosen !== null && others.includes(chosen) ? chosen : first;
  const byMeaning = mode === 'keyword' ? 'hybrid' : mode;
  const isCurrent = result?.model === model && result.mode === byMeaning;
  return (
    <Paper component="section" aria-labelledby={id} withBorder className={classes['card'] ?? ''}>
      <Stack gap="xs">
        <Title order={2} id={id} size="h4">
          Another model
        </Title>
        <Text size="sm">
          Vectors of this collection are made by {madeBy(models.live, read)}. What another model would do to
          the judged queries can be seen before the collection is moved to it: documents are embedded by it
          for the comparison alone.
        </Text>
        {isRankedElsewhere && (
          <Text size="sm" c="dimmed">
            OpenSearch answers searches here. The comparison uses the search engine inside this server
            instead, for both models: what changes between them is due to the model alone. Searches may find a
            few other hits than the comparison does, with either model.
          </Text>
        )}
        <Group gap="sm" align="end">
          <NativeSelect
            size="xs"
            label="Model to compare with"
            value={model}
            disabled={isPending}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            data={others.map((value) => ({ value, label: nameOf(value) }))}
          />
          {isPending ? (
            <Button size="xs" variant="default" onClick={cancel}>
              Cancel
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={() => compare({ model, mode: byMeaning })}>
              Compare this model
            </Button>
          )}
        </Group>
        {model.startsWith('openai:') && (
          <Text size="sm" c="dimmed">
            Texts of the documents that are compared are sent to the service.
          </Text>
        )}
        <Text size="sm" c="dimmed" role="status">
          {isPending ? (
            <>
              <Loader size={12} mr={6} aria-hidden="true" />
              {progressWords(models.comparing)}
            </>
          ) : (
            isCurrent && countWords(result.comparison.queries, result.comparison.counts)
          )}
        </Text>
        {error && !isPending && (
          <Alert color="red" title="It could not be compared">
            {errorMessage(error)}
          </Alert>
        )}
        {isCurrent && !isPending && (
          <>
            {result.comparison.among && (
              <Text size="sm">
                {modeNames[byMeaning]} search, before and after {amongWords(result.comparison.among)}
              </Text>
            )}
            <ComparedResult collection={collection} comparison={result.comparison} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

const builtIn: Record<string, string> = { static: 'static table', transformer: 'transformer' };

function nameOf(model: string): string {
  const own = builtIn[model];
  return own === undefined ? toModelName(model) : `The ${own}`;
}

function calledOf(model: string): string {
  const own = builtIn[model];
  return own === undefined ? toModelName(model) : `the ${own}`;
}

/** The transformer reads in the background what the table has made vectors of. */
function madeBy(
  live: string,
  { upgradedCount, toUpgradeCount }: Omit<ModelCardProps['collection'], 'id'>,
): string {
  const isPart = live === 'transformer' && toUpgradeCount > 0;
  if (!isPart) return calledOf(live);
  const done = `${formatNumber(upgradedCount)} ${upgradedCount === 1 ? 'document' : 'documents'}`;
  return `${calledOf(live)} for ${done} so far, and by ${calledOf('static')} for the others`;
}

function progressWords(comparing: ComparableModels['comparing']): string {
  if (comparing === null || comparing.documents === 0) return 'Choosing documents …';
  const { documents, documentsDone, queries, queriesDone } = comparing;
  const told = (done: number, of: number) => `${formatNumber(done)} of ${formatNumber(of)}`;
  if (documentsDone < documents) return `Embedding documents: ${told(documentsDone, documents)} …`;
  return `Searching for judged queries: ${told(queriesDone, queries)} …`;
}

function amongWords({ documents, of, refused }: ComparedAmong): string {
  const without =
    refused === 0 ? '' : ` The model gives ${formatNumber(refused)} of them no vector; the log says why.`;
  if (documents >= of) return `among all ${formatNumber(of)} documents.${without}`;
  return (
    `among ${formatNumber(documents)} of ${formatNumber(of)} documents: those that are judged, and the best that these queries find now. ` +
    `What the other model alone would find elsewhere is not among them, so that its figures may be too high.${without}`
  );
}
