import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { minusIcon, plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import classes from './map-controls.module.css';
import type { MapView } from './use-camera.ts';
import type { PointerMode } from './use-pointer.ts';

interface MapControlsProps {
  mode: PointerMode;
  onModeChange: (mode: PointerMode) => void;
  view: MapView;
  /** Selects what is in view. */
  onSelectView: () => void;
}

const step = 1.5;

/** What is done with the map, at its edge. */
export function MapControls({ mode, onModeChange, view, onSelectView }: MapControlsProps) {
  return (
    <>
      <div className={classes['modes']}>
        <SegmentedControl
          size="xs"
          aria-label="What dragging does"
          data={[
            { value: 'move', label: 'Move' },
            { value: 'lasso', label: 'Lasso' },
          ]}
          value={mode}
          onChange={(value) => onModeChange(value === 'lasso' ? 'lasso' : 'move')}
        />
        <Button size="compact-xs" variant="default" onClick={onSelectView}>
          Select all in view
        </Button>
      </div>
      <div className={classes['zoom']}>
        <ActionIcon variant="default" aria-label="Zoom in" onClick={() => view.zoom(step)}>
          <Icon shape={plusIcon} size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Zoom out" onClick={() => view.zoom(1 / step)}>
          <Icon shape={minusIcon} size={16} />
        </ActionIcon>
        <Button size="compact-xs" variant="default" aria-label="Show the whole map" onClick={view.fit}>
          All
        </Button>
      </div>
    </>
  );
}
