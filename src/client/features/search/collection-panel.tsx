import { Text, UnstyledButton } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import type { CollectionLabel } from '#shared/search.ts';
import classes from './facets/facet-panel.module.css';
import { NarrowPanel } from './facets/narrow-panel.tsx';
import type { SearchResults } from './search-results.ts';

interface CollectionPanelProps {
  counts: SearchResults['byCollection'];
  /** What is found by meaning is the nearest, however many those are: then a count says nothing. */
  hasCounts: boolean;
  onChoose: (collection: CollectionLabel) => void;
}

/** Where the hits of a search over all collections are. Choosing one narrows to it and brings its own facets. */
export function CollectionPanel({ counts, hasCounts, onChoose }: CollectionPanelProps) {
  return (
    <NarrowPanel>
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
            {hasCounts && (
              <Text size="xs" c="dimmed" component="span" className={classes['count'] ?? ''}>
                {formatNumber(found)}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </NarrowPanel>
  );
}
