/** The solution of a small system of linear equations whose matrix is symmetric and positive, by Gaussian elimination. O(n³). */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (const [column, pivot] of rows.entries()) {
    const divisor = pivot[column] ?? 1;
    for (const row of rows.slice(column + 1)) {
      const share = (row[column] ?? 0) / divisor;
      for (let j = column; j < row.length; j += 1) row[j] = (row[j] ?? 0) - share * (pivot[j] ?? 0);
    }
  }
  const solution = right.map(() => 0);
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const row = rows[i] ?? [];
    let left = row[rows.length] ?? 0;
    for (let j = i + 1; j < rows.length; j += 1) left -= (row[j] ?? 0) * (solution[j] ?? 0);
    solution[i] = left / (row[i] ?? 1);
  }
  return solution;
}
