import { Alert, Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon } from '#client/components/display/icon-shapes.gen.ts';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { failureOf } from '#client/lib/error-message.ts';
import type { EffectiveRequest } from '#shared/search.ts';
import { isGivenName } from '../overrides/override-name.ts';
import type { TuningState } from '../tuning-state.ts';
import { PreviewLists } from './preview-lists.tsx';
import classes from './preview-panel.module.css';
import type { HitActions } from './preview-row.tsx';
import type { Preview } from './use-preview.ts';

interface PreviewPanelProps extends Pick<TuningState, 'by'> {
  /** As it is typed. */
  query: string;
  onQuery: (query: string) => void;
  onMode: (by: TuningState['by']) => void;
  preview: Preview;
  /** Queries that many ask, to be tried with a click. */
  offered: string[];
  actions: HitActions;
}

export const modes: { value: TuningState['by']; label: string }[] = [
  { value: 'keyword', label: 'Keyword' },
  { value: 'hybrid', label: 'Hybrid' },
  { value: 'vector', label: 'Semantic' },
];

/** What a query finds before and after the changes, while they are made. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { query, onQuery, by, onMode, preview } = props;
  const hasQuery = query.trim() !== '';
  return (
    <Paper withBorder component="section" aria-labelledby="tuning-preview" className={classes['panel'] ?? ''}>
      <Title order={2} size="h3" id="tuning-preview" mb="xs">
        Preview
      </Title>
      <div className={classes['query']}>
        <div className={classes['box']}>
          <SearchField label="Query to try" placeholder="A query to try" value={query} onChange={onQuery} />
        </div>
        <SegmentedControl
          size="xs"
          aria-label="How it is searched"
          data={modes}
          value={by}
          onChange={(mode) => onMode(mode as TuningState['by'])}
        />
      </div>
      {!hasQuery && <BeforeQuery offered={props.offered} onQuery={onQuery} />}
      {hasQuery && preview.error != null && <Fault error={preview.error} onRetry={preview.refetch} />}
      {hasQuery && preview.error == null && <Lists {...props} />}
    </Paper>
  );
}

function Lists({ preview, actions, by }: PreviewPanelProps) {
  const { before, after, isFetching } = preview;
  if (!before || after === undefined) return <Skeleton height={320} mt="md" radius="md" />;
  return (
    <>
      <Acting request={(after ?? before).request} />
      <PreviewLists {...{ before, after, isFetching }} actions={by === 'vector' ? undefined : actions} />
      {by === 'vector' && (
        <Text size="xs" c="dimmed" mt="xs">
          Synonyms and overrides are about words: a search by meaning alone has none.
        </Text>
      )}
    </>
  );
}

/** Which rules act on the query. */
function Acting({ request: { synonyms = [], override } }: { request: EffectiveRequest }) {
  if (synonyms.length === 0 && !override) return null;
  return (
    <Stack gap={2} mt="sm">
      {synonyms.map(({ id, word, alternatives }) => (
        <Text key={`${id}/${word}`} size="xs" c="dimmed" dir="auto">
          “{word}” also finds {alternatives.map((text) => `“${text}”`).join(', ')}
        </Text>
      ))}
      {override && (
        <Text size="xs" c="dimmed" dir="auto">
          {isGivenName(override.id) ? `The override “${override.id}” acts` : 'An override of this query acts'}
        </Text>
      )}
    </Stack>
  );
}

function BeforeQuery({ offered, onQuery }: Pick<PreviewPanelProps, 'offered' | 'onQuery'>) {
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm" c="dimmed">
        Type a query: its first ten hits stand here, before and after what you change, and nothing is saved
        until you say so.
      </Text>
      {offered.length > 0 && (
        <Group gap="xs">
          {offered.map((query) => (
            <Button key={query} size="compact-sm" variant="default" dir="auto" onClick={() => onQuery(query)}>
              {query}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** What is wrong is often a filter or an order that is still being written. */
function Fault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert
      color="yellow"
      mt="sm"
      icon={<Icon shape={alertTriangleIcon} />}
      title="It cannot be tried like this"
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failureOf(error).message}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}
