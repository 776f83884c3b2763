import { Skeleton, Text } from '@mantine/core';
import { titleOf } from '#client/lib/document-title.ts';
import { useSimilar } from '#client/lib/use-similar.ts';
import { ErrorView } from '../feedback/error-view.tsx';
import classes from './document.module.css';

interface SimilarDocumentsProps {
  at: { collection: number; id: string };
  onOpen: (document: { collection: number; id: string }) => void;
}

/** Those whose vectors are nearest, the nearest first. */
export function SimilarDocuments({ at, onOpen }: SimilarDocumentsProps) {
  const { data, error, refetch } = useSimilar(at);
  if (error) return <ErrorView error={error} title="Nothing to compare" onRetry={refetch} />;
  if (!data) return <Skeleton height={120} mt="sm" />;
  if (data.hits.length === 0) {
    return (
      <Text size="sm" mt="sm">
        No other document can be compared with this one.
      </Text>
    );
  }
  return (
    <ol aria-label="Similar documents" className={classes['similar']}>
      {data.hits.map(({ id, document, score }) => (
        <li key={id}>
          <button type="button" onClick={() => onOpen({ collection: at.collection, id })}>
            <span dir="auto">{titleOf(id, document)}</span>
            <span className={classes['score']}>{score.toFixed(3)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
