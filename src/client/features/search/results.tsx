import { Alert, Button, Group, Pagination, Select, Skeleton, Stack, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  alertTriangleIcon,
  fileTextIcon,
  searchIcon,
  uploadIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import { CopyCurl } from './copy-curl.tsx';
import { filterFault } from './filter-box.tsx';
import { HitCard } from './hit-card.tsx';
import classes from './results.module.css';
import { lastPage, type SearchResults } from './search-results.ts';
import type { ChangeSearch, SearchState } from './search-state.ts';
import { SearchTips } from './search-tips.tsx';

interface ResultsProps {
  state: SearchState;
  onChange: ChangeSearch;
  results: SearchResults;
  /** The next results are on their way. */
  isStale: boolean;
  collection: Collection | null;
  collections: Collection[];
  sortFields: string[];
}

export function Results(props: ResultsProps) {
  const { state, onChange, results, isStale, collection } = props;
  const pages = lastPage(results.found);
  return (
    <Stack gap="sm" className={classes['root'] ?? ''} data-stale={isStale || undefined}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {summary(results, state)}
        </Text>
        <Group gap="xs">
          <CopyCurl state={state} collection={collection} collections={props.collections} />
          {collection && props.sortFields.length > 0 && <SortSelect {...props} />}
        </Group>
      </Group>
      {results.failures.length > 0 && <Failures state={state} failures={results.failures} />}
      {results.hits.length === 0 ? (
        <NoHits {...props} />
      ) : (
        <ol aria-label="Hits" className={classes['hits']}>
          {results.hits.map((hit) => (
            <HitCard
              key={`${hit.collection.id}/${hit.id}`}
              hit={hit}
              isNamed={collection === null}
              hasScore={state.q.trim() !== ''}
            />
          ))}
        </ol>
      )}
      {pages > 1 && (
        <Pagination
          mt="sm"
          size="sm"
          siblings={1}
          total={pages}
          value={Math.min(state.page, pages)}
          onChange={(page) => onChange({ page })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
        />
      )}
      {state.q.trim() !== '' && results.hits.length > 0 && results.hits.length < 4 && <SearchTips />}
    </Stack>
  );
}

function summary({ found, outOf, timeMs }: SearchResults, { q }: SearchState): string {
  const time = `${timeMs < 10 ? timeMs.toFixed(1) : Math.round(timeMs)} ms`;
  if (q.trim() === '') return `${formatNumber(found)} ${found === 1 ? 'document' : 'documents'}, in ${time}`;
  return `${formatNumber(found)} of ${formatNumber(outOf)} documents, in ${time}`;
}

function SortSelect({ state, onChange, sortFields }: ResultsProps) {
  return (
    <Select
      size="xs"
      w={200}
      aria-label="Sort by"
      allowDeselect={false}
      data={[
        { value: '', label: state.q.trim() === '' ? 'In order of id' : 'Most relevant first' },
        ...sortFields.flatMap((field) => [
          { value: `${field}:asc`, label: `${field}, ascending` },
          { value: `${field}:desc`, label: `${field}, descending` },
        ]),
      ]}
      value={state.sort}
      onChange={(sort) => onChange({ sort: sort ?? '', page: 1 })}
    />
  );
}

const namesShownMax = 5;

interface FailuresProps {
  state: SearchState;
  failures: SearchResults['failures'];
}

/** One line for each reason. */
function Failures({ state, failures }: FailuresProps) {
  const told = failures.map(({ name, ...failure }) => ({ name, message: reasonOf(failure, state) }));
  const reasons = [...new Set(told.map(({ message }) => message))];
  return (
    <Alert
      color="yellow"
      icon={<Icon shape={alertTriangleIcon} />}
      title="Some collections could not be searched"
    >
      <ul className={classes['failures']}>
        {reasons.map((reason) => (
          <li key={reason}>{withNames(reason, told)}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** What is wrong with the filter is said by its place in the typed text, not by the parameter's name. */
function reasonOf(
  { message, details }: Pick<SearchResults['failures'][number], 'message' | 'details'>,
  state: SearchState,
): string {
  const fault = filterFault(state, details);
  if (!fault) return message;
  const place = fault.position === null ? '' : ` at character ${fault.position + 1}`;
  return `in the filter${place}, ${fault.message}`;
}

function withNames(reason: string, failures: { name: string | null; message: string }[]): string {
  const names = failures.flatMap(({ name, message }) => (message === reason ? (name ?? []) : []));
  if (names.length === 0) return reason;
  const others = names.length - namesShownMax;
  const shown = names.slice(0, namesShownMax).join(', ');
  return `${shown}${others > 0 ? ` and ${formatNumber(others)} more` : ''}: ${reason}`;
}

function NoHits({ state, onChange, results, collection }: ResultsProps) {
  const isNarrowed = state.filter.trim() !== '' || Object.keys(state.facets).length > 0;
  if (results.outOf === 0 && collection) {
    return (
      <EmptyState
        icon={fileTextIcon}
        title="No documents yet"
        description={`${collection.name} is empty. Upload a JSON or NDJSON file and search it here.`}
      >
        <ButtonLink to="/collections" leftSection={<Icon shape={uploadIcon} />}>
          Upload Documents
        </ButtonLink>
      </EmptyState>
    );
  }
  if (results.found > 0) return <PastTheEnd last={lastPage(results.found)} onChange={onChange} />;
  return (
    <Stack gap="md">
      <EmptyState
        icon={searchIcon}
        title="No results"
        description={
          state.q.trim() === ''
            ? 'No document passes the filter.'
            : `Nothing matches “${state.q.trim()}”${isNarrowed ? ' within these filters' : ''}.`
        }
      >
        <Group gap="xs" justify="center">
          {isNarrowed && (
            <Button variant="default" onClick={() => onChange({ filter: '', facets: {}, page: 1 })}>
              Clear filters
            </Button>
          )}
          {state.mode === 'keyword' && state.q.trim() !== '' && (
            <Button variant="default" onClick={() => onChange({ mode: 'hybrid', page: 1 })}>
              Search by meaning too
            </Button>
          )}
        </Group>
      </EmptyState>
      <SearchTips />
    </Stack>
  );
}

/** The address names a page that there was once, or never. */
function PastTheEnd({ last, onChange }: { last: number; onChange: ChangeSearch }) {
  return (
    <EmptyState
      icon={searchIcon}
      title="No hits on this page"
      description={`The hits end on page ${formatNumber(last)}.`}
    >
      <Button variant="default" onClick={() => onChange({ page: 1 })}>
        First page
      </Button>
    </EmptyState>
  );
}

export function ResultsSkeleton() {
  return (
    <Stack gap="sm" aria-hidden="true">
      <Skeleton height={20} width="12rem" />
      {['first', 'second', 'third', 'fourth'].map((key) => (
        <Skeleton key={key} height={112} radius="lg" />
      ))}
    </Stack>
  );
}
