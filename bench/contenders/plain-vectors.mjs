/** What everybody would write first: each row multiplied with the question, the ten best kept. The measure of recall. */
import { readRows } from './rows.mjs';

let rows;
let asked;
let size;

export async function load({ rows: file, asked: questions, dimension }) {
  size = dimension;
  rows = await readRows(file, dimension);
  asked = await readRows(questions, dimension);
  for (let i = 0; i < rows.count; i += 1) normalise(rows.row(i));
  return rows.count;
}

export function ask(number) {
  const question = asked.row(number);
  const { values } = rows;
  const best = [];
  for (let i = 0, at = 0; i < rows.count; i += 1, at += size) {
    let sum = 0;
    for (let j = 0; j < size; j += 1) sum += values[at + j] * question[j];
    if (best.length === 10 && sum <= best[9].sum) continue;
    if (best.length === 10) best.pop();
    let place = best.length;
    while (place > 0 && best[place - 1].sum < sum) place -= 1;
    best.splice(place, 0, { i, sum });
  }
  return best.map(({ i }) => String(i));
}

function normalise(row) {
  let sum = 0;
  for (const value of row) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let j = 0; j < row.length; j += 1) row[j] *= scale;
}
