import { useElementSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { type Camera, fitCamera, panned, type Size, zoomed } from './map-camera.ts';

export interface MapView {
  camera: Camera;
  size: Size;
  /** How many times nearer than the whole map. */
  nearness: number;
  zoom: (by: number, at?: { x: number; y: number }) => void;
  pan: (x: number, y: number) => void;
  /** The whole map again. */
  fit: () => void;
}

/** How the map is seen: all of it until the reader moves it. `ref` is for what it is painted in. */
export function useCamera(positions: Float32Array): {
  view: MapView;
  ref: (element: HTMLElement | null) => void;
} {
  const { ref, width, height } = useElementSize<HTMLElement>();
  const [own, setOwn] = useState<Camera | null>(null);
  const size = useMemo(() => ({ width, height }), [width, height]);
  const fitted = useMemo(() => fitCamera(positions, size), [positions, size]);
  const camera = own ?? fitted;
  const view = {
    camera,
    size,
    nearness: camera.scale / fitted.scale,
    zoom: (by: number, at = { x: width / 2, y: height / 2 }) =>
      setOwn((before) => zoomed(before ?? fitted, fitted, { by, ...at })),
    pan: (x: number, y: number) => setOwn((before) => panned(before ?? fitted, fitted, { x, y })),
    fit: () => setOwn(null),
  };
  return { view, ref };
}
