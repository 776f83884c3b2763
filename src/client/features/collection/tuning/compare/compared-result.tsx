import { useState } from 'react';
import type { RelevanceComparison } from '#shared/comparisons.ts';
import classes from './compare-panel.module.css';
import { ComparedFigures } from './compared-figures.tsx';
import { ComparedLists } from './compared-lists.tsx';
import { ComparedTable } from './compared-table.tsx';

interface ComparedResultProps {
  collection: number;
  comparison: RelevanceComparison;
}

/** The means before and after, the queries, and of one that is opened both lists. */
export function ComparedResult({ collection, comparison }: ComparedResultProps) {
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <div className={classes['result']}>
      <ComparedFigures before={comparison.before} after={comparison.after} />
      <ComparedTable comparison={comparison} onOpen={setOpened} />
      <ComparedLists
        collection={collection}
        compared={comparison.results.find(({ query }) => query === opened) ?? null}
        onClose={() => setOpened(null)}
      />
    </div>
  );
}
