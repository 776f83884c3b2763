import { Stack } from '@mantine/core';
import { useState } from 'react';
import { circleDashedIcon, stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import type { DocumentMap } from '#shared/document-map.ts';
import type { CollectionTabProps } from '../tab-props.ts';
import { MapLoading } from './map-loading.tsx';
import { MapView } from './map-view.tsx';
import { useDocumentMap, usePackedRows } from './use-document-map.ts';
import { useProjection } from './use-projection.ts';

/** Two points are a line. */
const documentsMin = 3;

/** The documents of a collection as a map: what is alike in meaning lies together. */
export function MapTab({ collection, state, onChange }: CollectionTabProps) {
  const [again, setAgain] = useState(0);
  const map = useDocumentMap(collection, again);
  const isDrawn = (map.data?.withVector ?? 0) >= documentsMin;
  const packed = usePackedRows(isDrawn ? map.data : undefined, collection);
  const projection = useProjection(packed, again);
  if (map.isError)
    return <ErrorView error={map.error} title="Failed to fetch the documents" onRetry={map.refetch} />;
  if (!map.data) return <MapLoading what={`Fetching the vectors of ${collection.name}`} share={null} />;
  if (!isDrawn) return <TooFew collection={collection} map={map.data} />;
  if (projection.error)
    return (
      <ErrorView
        error={projection.error}
        title="The map could not be drawn"
        onRetry={() => setAgain((count) => count + 1)}
      />
    );
  if (!projection.positions) return <MapLoading what={wordsFor(map.data)} share={0} />;
  return (
    <MapView
      key={again}
      collection={collection}
      map={map.data}
      again={again}
      projection={{ ...projection, positions: projection.positions }}
      state={state}
      onChange={onChange}
      onRedraw={() => setAgain((count) => count + 1)}
    />
  );
}

function wordsFor({ ids }: DocumentMap): string {
  return `Drawing a map of ${formatNumber(ids.length)} documents`;
}

function TooFew({ collection, map }: { collection: Collection; map: DocumentMap }) {
  const title =
    map.found === 0 ? 'No documents yet' : map.withVector === 0 ? 'No vectors' : 'Too few documents';
  const why =
    map.found === 0
      ? `Once ${collection.name} has documents, those that are alike in meaning lie together here.`
      : map.withVector === 0
        ? 'None of the documents has a vector: they have no text to embed, and came without vectors of their own. Searches by keyword find them all the same.'
        : `A map takes ${documentsMin} documents with a vector; here ${map.withVector === 1 ? 'is one' : 'are two'}.`;
  return (
    <Stack>
      <EmptyState icon={map.found === 0 ? stack2Icon : circleDashedIcon} title={title} description={why} />
    </Stack>
  );
}
