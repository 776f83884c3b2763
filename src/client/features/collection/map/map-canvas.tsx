import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import classes from './map-canvas.module.css';
import { paintMap } from './paint-map.ts';
import { pointAt, pointsWithin, type Spot } from './pick-points.ts';
import { type PointColors, paintOrder } from './point-colors.ts';
import type { MapView } from './use-camera.ts';
import { type PointerMode, usePointer } from './use-pointer.ts';

interface MapCanvasProps {
  /** What it shows, for those who do not see it. */
  label: string;
  positions: Float32Array;
  colors: PointColors;
  titleOf: (point: number) => string;
  /** Those that stand out; null: all do. */
  lit: ReadonlySet<number> | null;
  chosen: number | null;
  mode: PointerMode;
  view: MapView;
  onChoose: (point: number | null) => void;
  onSelect: (points: number[]) => void;
}

/** How near a pointer has to be, in pixels; a finger is wider. */
const reach = { mouse: 10, touch: 22 };
const keyStep = 60;
const keyZoom = 1.4;

/** The points, painted. What can be done here with a pointer can be done without one by the buttons, the legend and the table. */
export function MapCanvas({ positions, colors, view, lit, chosen, mode, ...props }: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const help = useId();
  const at = (spot: Spot, isTouch: boolean) =>
    pointAt(positions, view.camera, spot, isTouch ? reach.touch : reach.mouse);
  const { line, handlers } = usePointer({
    mode,
    onHover: (spot, isTouch) => setHovered(spot === null || isTouch ? null : at(spot, false)),
    onPress: (spot, isTouch) => props.onChoose(at(spot, isTouch)),
    onPan: view.pan,
    onZoom: view.zoom,
    onLasso: (drawn) => props.onSelect(pointsWithin(positions, view.camera, drawn)),
  });
  useWheelZoom(canvas, view.zoom);
  // The other scheme has other colors, which are read off the page once it is there: to know of the change is to paint anew.
  useComputedColorScheme('light');

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (!element || !context) return;
      const ratio = window.devicePixelRatio || 1;
      element.width = Math.round(view.size.width * ratio);
      element.height = Math.round(view.size.height * ratio);
      const variables = getComputedStyle(element);
      const read = (name: string) => variables.getPropertyValue(name);
      const picture = {
        positions,
        camera: view.camera,
        size: view.size,
        colors: colors.entries.map(({ color }) => read(color)),
        order: paintOrder(colors),
        entryOf: colors.entryOf,
        lit,
        marked: [chosen, hovered],
        line,
        ink: read('--mantine-color-text'),
        surface: read('--vx-surface'),
      };
      paintMap(context, picture, view.nearness, ratio);
    });
    return () => cancelAnimationFrame(frame);
  });

  return (
    <>
      <div
        className={classes['surface']}
        data-mode={hovered === null ? mode : 'point'}
        data-moves={mode === 'lasso' || view.nearness > 1}
        role="application"
        aria-label={props.label}
        aria-describedby={help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys that move the map
        tabIndex={0}
        onKeyDown={(event) => moveByKey(event, view, () => props.onChoose(null))}
        onDoubleClick={({ nativeEvent: { offsetX: x, offsetY: y } }) => view.zoom(2, { x, y })}
        {...handlers}
      >
        <canvas ref={canvas} className={classes['canvas']} />
      </div>
      <VisuallyHidden id={help}>
        Arrow keys move the map, plus and minus zoom, 0 shows all of it. The table lists the same documents.
      </VisuallyHidden>
      {hovered !== null && hovered !== chosen && (
        <div
          className={classes['tip']}
          style={tipPlace(positions, view, hovered)}
          aria-hidden="true"
          dir="auto"
        >
          {props.titleOf(hovered)}
        </div>
      )}
    </>
  );
}

function moveByKey(event: KeyboardEvent, view: MapView, onEscape: () => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const acts: Record<string, () => void> = {
    ArrowLeft: () => view.pan(keyStep, 0),
    ArrowRight: () => view.pan(-keyStep, 0),
    ArrowUp: () => view.pan(0, keyStep),
    ArrowDown: () => view.pan(0, -keyStep),
    '+': () => view.zoom(keyZoom),
    '=': () => view.zoom(keyZoom),
    '-': () => view.zoom(1 / keyZoom),
    '0': view.fit,
    Escape: onEscape,
  };
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** The wheel scrolls the page; with Ctrl or ⌘, as two fingers on a touchpad send it, it zooms. */
function useWheelZoom(canvas: { current: HTMLCanvasElement | null }, zoom: MapView['zoom']): void {
  const newest = useRef(zoom);
  newest.current = zoom;
  useEffect(() => {
    const element = canvas.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      newest.current(Math.exp(-event.deltaY / 200), { x: event.offsetX, y: event.offsetY });
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [canvas]);
}

/** Above the point, and within the map. */
function tipPlace(positions: Float32Array, { camera, size }: MapView, point: number) {
  const x = (positions[2 * point] ?? 0) * camera.scale + camera.left;
  const y = (positions[2 * point + 1] ?? 0) * camera.scale + camera.top;
  const isLow = y < 56;
  return {
    left: `${Math.min(size.width - 8, Math.max(8, x))}px`,
    top: `${isLow ? y + 16 : y - 14}px`,
    transform: `translate(${-100 * Math.min(1, Math.max(0, x / Math.max(1, size.width)))}%, ${isLow ? 0 : -100}%)`,
  };
}
