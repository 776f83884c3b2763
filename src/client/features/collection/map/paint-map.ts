import type { Camera, Size } from './map-camera.ts';
import type { Spot } from './pick-points.ts';

export interface Picture {
  positions: Float32Array;
  camera: Camera;
  size: Size;
  /** By entry. */
  colors: string[];
  /** Entries, those that lie on top last. */
  order: number[];
  entryOf: Uint8Array;
  /** Those that stand out; null: all do. */
  lit: ReadonlySet<number> | null;
  /** One that is pointed at, and one that is looked at. */
  marked: (number | null)[];
  /** What is being drawn around points. */
  line: Spot[];
  /** Of the line, and of the edge of what is marked. */
  ink: string;
  surface: string;
}

const dimmed = 0.14;
const radii = { min: 2.2, max: 6 };
/** What a point grows by when one comes nearer. */
const growth = 0.3;

/** Paints the whole; `ratio`: device pixels a CSS pixel. */
export function paintMap(
  context: CanvasRenderingContext2D,
  picture: Picture,
  nearness: number,
  ratio: number,
): void {
  const { size, lit, marked, positions } = picture;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const radius = radiusOf(positions.length / 2, nearness);
  const isLit = (point: number) => lit === null || lit.has(point);
  if (lit !== null)
    paintPoints(context, picture, { radius, alpha: dimmed, isIn: (point) => !lit.has(point) });
  paintPoints(context, picture, { radius: lit === null ? radius : radius * 1.35, alpha: 0.85, isIn: isLit });
  for (const point of marked) if (point !== null) paintMarked(context, picture, point, radius);
  paintLine(context, picture);
}

function radiusOf(count: number, nearness: number): number {
  const radius = Math.min(radii.max, Math.max(radii.min, 60 / Math.sqrt(Math.max(1, count))));
  return radius * Math.max(1, nearness) ** growth;
}

/** One path a color: a fill for each point would take ten times as long. */
function paintPoints(
  context: CanvasRenderingContext2D,
  { positions, camera, size, colors, order, entryOf }: Picture,
  { radius, alpha, isIn }: { radius: number; alpha: number; isIn: (point: number) => boolean },
): void {
  context.globalAlpha = alpha;
  for (const entry of order) {
    context.fillStyle = colors[entry] ?? '';
    context.beginPath();
    for (let point = 0; point < entryOf.length; point += 1) {
      if (entryOf[point] !== entry || !isIn(point)) continue;
      const x = (positions[2 * point] ?? 0) * camera.scale + camera.left;
      const y = (positions[2 * point + 1] ?? 0) * camera.scale + camera.top;
      if (x < -radius || y < -radius || x > size.width + radius || y > size.height + radius) continue;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

function paintMarked(
  context: CanvasRenderingContext2D,
  { positions, camera, colors, entryOf, ink, surface }: Picture,
  point: number,
  radius: number,
): void {
  const x = (positions[2 * point] ?? 0) * camera.scale + camera.left;
  const y = (positions[2 * point + 1] ?? 0) * camera.scale + camera.top;
  for (const [style, reach] of [
    [ink, radius + 4.5],
    [surface, radius + 2.5],
    [colors[entryOf[point] ?? 0] ?? ink, radius + 1],
  ] as const) {
    context.fillStyle = style;
    context.beginPath();
    context.arc(x, y, reach, 0, 2 * Math.PI);
    context.fill();
  }
}

function paintLine(context: CanvasRenderingContext2D, { line, ink }: Picture): void {
  const [first, ...others] = line;
  if (!first || others.length === 0) return;
  context.beginPath();
  context.moveTo(first.x, first.y);
  for (const { x, y } of others) context.lineTo(x, y);
  context.closePath();
  context.fillStyle = ink;
  context.globalAlpha = 0.08;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.stroke();
}
