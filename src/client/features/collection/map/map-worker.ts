import { projectVectors } from './projection/project-vectors.ts';
import { type PackedRows, unpackRows } from './projection/unpack-rows.ts';

/** What the thread tells: pictures that become better, and at the end which points are nearest to each by their vectors. */
export type MapMessage =
  | { kind: 'picture'; positions: Float32Array; share: number }
  | { kind: 'neighbours'; rows: Int32Array; size: number };

/** Told of each point. */
const neighboursTold = 5;

/** The thread of a map, so that the page answers while it is drawn. Whoever wants no more of it ends the thread. */
self.onmessage = ({ data }: MessageEvent<PackedRows>) => {
  const steps = projectVectors(unpackRows(data));
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    const { positions, share } = step.value;
    tell({ kind: 'picture', positions, share });
  }
  const { rows, count, size } = step.value;
  const told = Math.min(neighboursTold, size);
  const nearest = new Int32Array(count * told);
  for (let row = 0; row < count; row += 1)
    nearest.set(rows.subarray(row * size, row * size + told), row * told);
  tell({ kind: 'neighbours', rows: nearest, size: told });
};

function tell(message: MapMessage): void {
  self.postMessage(message);
}
