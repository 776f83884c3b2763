import { Paper, Text, UnstyledButton } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import type { CollectionLabel } from '#shared/search.ts';
import classes from './facet-panel.module.css';
import { isWide } from './facet-panel.tsx';
import type { SearchResults } from './search-results.ts';

interface CollectionPanelProps {
  counts: SearchResults['byCollection'];
  onChoose: (collection: CollectionLabel) => void;
}

/** Where the hits of a search over all collections are. Choosing one narrows to it and brings its own facets. */
export function CollectionPanel({ counts, onChoose }: CollectionPanelProps) {
  return (
    <Paper component="aside" aria-label="Narrow the results" withBorder className={classes['panel'] ?? ''}>
      <details className={classes['fold']} open={isWide()}>
        <summary className={classes['summary']}>
          <span>Narrow the results</span>
        </summary>
        <ul className={classes['field']} aria-label="Collections">
          {counts.map(({ collection, found }) => (
            <li key={collection.id} className={classes['row']}>
              <UnstyledButton
                className={classes['choice'] ?? ''}
                disabled={found === 0}
                onClick={() => onChoose(collection)}
              >
                {collection.name}
              </UnstyledButton>
              <Text size="xs" c="dimmed" component="span" className={classes['count'] ?? ''}>
                {formatNumber(found)}
              </Text>
            </li>
          ))}
        </ul>
      </details>
    </Paper>
  );
}
