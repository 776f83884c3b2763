/** How a plane of points is seen: a point at (x, y) is on the screen at (x · scale + left, y · scale + top), in CSS pixels. */
export interface Camera {
  scale: number;
  left: number;
  top: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Between the outermost points and the edge, in pixels. */
const margin = 24;
/** Against the whole map. */
const zoomMax = 40;
const zoomMin = 0.5;

/** All points in view, and where they lie: what bounds how the map is moved. */
export interface FittedCamera extends Camera {
  size: Size;
  /** Of the points, in the plane: the middle, and how far they reach from it. */
  middle: { x: number; y: number };
  reach: { x: number; y: number };
}

export function fitCamera(positions: Float32Array, size: Size): FittedCamera {
  let [left, top, right, bottom] = [0, 0, 0, 0];
  for (let i = 0; i < positions.length; i += 2) {
    const x = positions[i] ?? 0;
    const y = positions[i + 1] ?? 0;
    if (i === 0 || x < left) left = x;
    if (i === 0 || x > right) right = x;
    if (i === 0 || y < top) top = y;
    if (i === 0 || y > bottom) bottom = y;
  }
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  // Points in one place have no extent.
  const reach = { x: Math.max((right - left) / 2, 1e-6), y: Math.max((bottom - top) / 2, 1e-6) };
  const half = (length: number) => Math.max(1, length / 2 - margin);
  const scale = Math.min(half(size.width) / reach.x, half(size.height) / reach.y);
  return {
    scale,
    left: size.width / 2 - middle.x * scale,
    top: size.height / 2 - middle.y * scale,
    size,
    middle,
    reach,
  };
}

/** `by` times as near; what is at `(x, y)` on the screen stays there, unless the map would leave the view. */
export function zoomed(
  camera: Camera,
  fitted: FittedCamera,
  { by, x, y }: { by: number; x: number; y: number },
): Camera {
  const scale = Math.min(fitted.scale * zoomMax, Math.max(fitted.scale * zoomMin, camera.scale * by));
  const ratio = scale / camera.scale;
  return kept({ scale, left: x - (x - camera.left) * ratio, top: y - (y - camera.top) * ratio }, fitted);
}

/** Moved by so many pixels, unless the map would leave the view. */
export function panned(camera: Camera, fitted: FittedCamera, by: { x: number; y: number }): Camera {
  return kept({ scale: camera.scale, left: camera.left + by.x, top: camera.top + by.y }, fitted);
}

/** The middle of the view is always among the points. */
function kept({ scale, left, top }: Camera, { size, middle, reach }: FittedCamera): Camera {
  const within = (at: number, center: number, most: number) =>
    Math.min(center + most, Math.max(center - most, at));
  const x = within((size.width / 2 - left) / scale, middle.x, reach.x);
  const y = within((size.height / 2 - top) / scale, middle.y, reach.y);
  return { scale, left: size.width / 2 - x * scale, top: size.height / 2 - y * scale };
}
