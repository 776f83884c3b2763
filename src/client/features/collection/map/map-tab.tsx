import { Stack } from '@mantine/core';
import { useState } from 'react';
import {
  alertTriangleIcon,
  circleDashedIcon,
  stack2Icon,
} from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { FilterBox } from '#client/components/filter/filter-box.tsx';
import { filterFault } from '#client/components/filter/filter-fault.ts';
import { failureOf } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import type { DocumentMap } from '#shared/document-map.ts';
import { useTypedFilter } from '../documents/use-typed-filter.ts';
import type { CollectionTabProps } from '../tab-props.ts';
import { MapLoading } from './map-loading.tsx';
import { MapView } from './map-view.tsx';
import { type MapPart, useColorFields, useDocumentMap, usePackedRows } from './use-document-map.ts';
import { useProjection } from './use-projection.ts';

/** Two points are a line. */
const documentsMin = 3;

/** The documents of a collection, or those that pass a filter, as a map: what is alike in meaning lies together. */
export function MapTab(props: CollectionTabProps) {
  const { collection, state, onChange } = props;
  const [again, setAgain] = useState(0);
  const part = { filter: state.among, again };
  const map = useDocumentMap(collection, part);
  const { typed, type } = useTypedFilter(state.among, (among) => onChange({ among }, { replace: true }));
  const { data: known } = useColorFields(collection);
  const fault = map.isError ? filterFault(failureOf(map.error).details, (position) => position) : null;
  return (
    <Stack gap="sm">
      {(state.among !== '' || map.data?.found !== 0) && (
        <FilterBox
          text={typed}
          onType={type}
          // Of what was asked, not of what is typed since.
          fault={typed === state.among ? fault : null}
          fields={known?.fields ?? []}
        />
      )}
      {fault ? (
        <EmptyState
          icon={alertTriangleIcon}
          title="The filter cannot be read"
          description="What is wrong with it stands below its box."
        />
      ) : (
        <DrawnMap
          // Nothing of the map of other documents.
          key={part.filter}
          {...props}
          part={part}
          map={map}
          onRedraw={() => setAgain((count) => count + 1)}
        />
      )}
    </Stack>
  );
}

interface DrawnMapProps extends CollectionTabProps {
  part: MapPart;
  map: ReturnType<typeof useDocumentMap>;
  onRedraw: () => void;
}

function DrawnMap({ collection, state, onChange, part, map, onRedraw }: DrawnMapProps) {
  const isDrawn = (map.data?.withVector ?? 0) >= documentsMin;
  const packed = usePackedRows(isDrawn ? map.data : undefined, collection);
  const projection = useProjection(packed, part.again);
  if (map.isError)
    return <ErrorView error={map.error} title="Failed to fetch the documents" onRetry={map.refetch} />;
  if (!map.data) return <MapLoading what={`Fetching the vectors of ${collection.name}`} share={null} />;
  if (!isDrawn) return <TooFew collection={collection} map={map.data} isFiltered={part.filter !== ''} />;
  if (projection.error)
    return <ErrorView error={projection.error} title="The map could not be drawn" onRetry={onRedraw} />;
  if (!projection.positions) return <MapLoading what={wordsFor(map.data)} share={0} />;
  return (
    <MapView
      key={part.again}
      collection={collection}
      map={map.data}
      part={part}
      projection={{ ...projection, positions: projection.positions }}
      state={state}
      onChange={onChange}
      onRedraw={onRedraw}
    />
  );
}

function wordsFor({ ids }: DocumentMap): string {
  return `Drawing a map of ${formatNumber(ids.length)} documents`;
}

interface TooFewProps {
  collection: Collection;
  map: DocumentMap;
  isFiltered: boolean;
}

function TooFew({ collection, map, isFiltered }: TooFewProps) {
  if (isFiltered && map.found === 0)
    return (
      <EmptyState
        icon={circleDashedIcon}
        title="No documents pass the filter"
        description="Clear it, or ask for less, and those that pass lie here together."
      />
    );
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
