import { isPauseDue, type Steps } from '../../steps.ts';
import type { DocumentRows } from '../document-rows.ts';
import { NONE } from '../document-rows.ts';
import type { VectorRows } from '../vector-rows.ts';
import { InvertedFile } from './inverted-file.ts';
import { listsFor, trainCentroids } from './train-centroids.ts';

/**
 * An inverted file over all rows. Between two steps rows may be written and removed: from `began` on whoever does tells the file. Null: there is no
 * memory for it, or too few rows have a vector.
 */
export function* buildFile(
  vectors: VectorRows,
  documents: DocumentRows,
  began: (file: InvertedFile) => void,
): Steps<InvertedFile | null> {
  const { rows } = documents;
  const isUsed = (row: number) => documents.ownerOf(row) !== NONE;
  const centroids = yield* trainCentroids(vectors, { rows, lists: listsFor(rows), isUsed });
  if (centroids === null) return null;
  const file = new InvertedFile(vectors, centroids, rows);
  began(file);
  for (let row = 0; row < documents.rows; row += 1) {
    if (!isUsed(row) || file.listOf(row) !== NONE) continue;
    if (!file.write(row, documents.ownerOf(row))) return null;
    if (isPauseDue(file.writeUnits)) yield;
  }
  return file;
}
