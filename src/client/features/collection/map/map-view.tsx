import { Alert, Button, Paper, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import type { DocumentMap } from '#shared/document-map.ts';
import type { ChangeCollection, CollectionState } from '../collection-state.ts';
import { MapCanvas } from './map-canvas.tsx';
import { MapControls } from './map-controls.tsx';
import { MapLegend } from './map-legend.tsx';
import { MapTable } from './map-table.tsx';
import { MapToolbar } from './map-toolbar.tsx';
import classes from './map-view.module.css';
import { pointsInView } from './pick-points.ts';
import { PointCard } from './point-card.tsx';
import { labelOf } from './point-colors.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useCamera } from './use-camera.ts';
import type { MapPart } from './use-document-map.ts';
import { useMapColors } from './use-map-colors.ts';
import { useMapSelection } from './use-map-selection.ts';
import type { PointerMode } from './use-pointer.ts';
import type { Projection } from './use-projection.ts';

interface MapViewProps {
  collection: Collection;
  map: DocumentMap;
  part: MapPart;
  projection: Projection & { positions: Float32Array };
  state: CollectionState;
  onChange: ChangeCollection;
  onRedraw: () => void;
}

export function MapView({ collection, map, part, projection, state, onChange, onRedraw }: MapViewProps) {
  const [mode, setMode] = useState<PointerMode>('move');
  const [chosen, setChosen] = useState<number | null>(null);
  const { field, fields, shownField, colors, isDate, values, error } = useMapColors({
    collection,
    map,
    wanted: state.color,
    part,
  });
  const { view, ref } = useCamera(projection.positions);
  const choice = useMapSelection({ collection, map, colors, words: state.find });
  const titleOf = (point: number) => map.titles[point] ?? map.ids[point] ?? '';
  const valueText = (point: number) => labelOf(values[point] ?? null, isDate);
  const nearestTo = (point: number) => nearestOf(projection, point);
  const colorTitle = shownField === '' ? null : fieldLabel(shownField);
  const isTable = state.as === 'table';
  return (
    <div className={classes['view']}>
      <MapToolbar
        state={state}
        onChange={onChange}
        fields={fields}
        field={field}
        colorError={error}
        hits={choice.hits}
        onSelectHits={choice.selectHits}
      />
      {choice.points.length > 0 && (
        <SelectionBar
          collection={collection.id}
          ids={choice.points.map((point) => map.ids[point] ?? '')}
          onClear={choice.clear}
        />
      )}
      <div className={classes['parts']}>
        {isTable ? (
          <MapTable
            collection={collection.id}
            ids={map.ids}
            titleOf={titleOf}
            colorTitle={colorTitle}
            valueOf={valueText}
            colors={colors}
            nearestTo={nearestTo}
            lit={choice.hits === null ? null : choice.hits.points}
            selected={choice.selected}
            onToggle={choice.toggle}
          />
        ) : (
          <Paper withBorder className={classes['plane'] ?? ''} ref={ref}>
            <MapCanvas
              label={`Map of ${formatNumber(map.ids.length)} documents of ${collection.name}`}
              positions={projection.positions}
              colors={colors}
              titleOf={titleOf}
              lit={choice.lit}
              chosen={chosen}
              mode={mode}
              view={view}
              onChoose={setChosen}
              onSelect={choice.select}
            />
            <MapControls
              mode={mode}
              onModeChange={setMode}
              view={view}
              onSelectView={() => choice.select(pointsInView(projection.positions, view.camera, view.size))}
            />
            {chosen !== null && (
              <PointCard
                collection={collection.id}
                id={map.ids[chosen] ?? ''}
                title={titleOf(chosen)}
                value={colorTitle === null ? null : `${colorTitle}: ${valueText(chosen)}`}
                nearest={nearestTo(chosen).map((point) => ({ point, title: titleOf(point) }))}
                onChoose={setChosen}
              />
            )}
            {projection.share < 1 && (
              <Progress
                value={projection.share * 100}
                size="xs"
                className={classes['progress'] ?? ''}
                aria-label="Drawing the map"
              />
            )}
          </Paper>
        )}
        <MapLegend
          title={colorTitle ?? ''}
          colors={colors}
          selected={choice.entry}
          onSelect={choice.selectEntry}
        />
      </div>
      <MapFacts collection={collection} map={map} onRedraw={onRedraw} />
    </div>
  );
}

/** What the map shows, and what it does not. */
function MapFacts({ collection, map, onRedraw }: Pick<MapViewProps, 'collection' | 'map' | 'onRedraw'>) {
  const without = map.found - map.withVector;
  const facts = [
    map.ids.length < map.withVector
      ? `${formatNumber(map.ids.length)} of ${formatNumber(map.withVector)} documents, drawn evenly.`
      : `All ${formatNumber(map.ids.length)} documents with a vector.`,
    without > 0 ? `${formatNumber(without)} without a vector are not on the map.` : '',
    'What lies together is alike in meaning; how far apart groups lie says little.',
  ];
  return (
    <>
      <Text size="xs" c="dimmed">
        {facts.join(' ')}
      </Text>
      {collection.documentCount !== map.found && (
        <Alert color="blue" title="The collection has changed since this map was drawn" role="status">
          <Button size="xs" variant="default" onClick={onRedraw}>
            Draw it anew
          </Button>
        </Alert>
      )}
    </>
  );
}

function nearestOf({ neighbours }: Projection, point: number): number[] {
  if (neighbours === null) return [];
  const { rows, size } = neighbours;
  return Array.from(rows.subarray(point * size, (point + 1) * size));
}
