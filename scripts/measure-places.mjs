/**
 * What places cost beside numbers: filters by distance and by polygon, and the order of distances, over random points all over the earth, as a
 * ratio to a comparison of numbers that lets as many documents through, and to the order of a number. No two documents have the same number or point.
 *
 *   node scripts/measure-places.mjs [--documents 100000] [--rounds 15]
 *
 * Processor time of this process in the engine alone, the least of some rounds in which all kinds take turns.
 */
import { parseArgs } from 'node:util';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
  },
});
const documentCount = Number(values.documents);
/** Of one kind in a row: processor time is told in steps that are longer than a search. */
const searchesAtOnce = 10;

const { indexOf, document, searchFor } = await loadSources(`
  export { indexOf, document, searchFor } from './src/server/engine/testing/fixtures.ts';
`);

const index = indexOf(documents(), {
  dimension: 2,
  metric: 'cosine',
  fields: [
    { name: 'at', type: 'geopoint' },
    { name: 'price', type: 'number' },
  ],
});
const from = { lat: 48.85, lng: 2.35 };
const centre = `${from.lat}, ${from.lng}`;
const cap = (cosine) => Math.acos(cosine) * 6_371.0088;

/** Of the sphere's surface, and so of the documents, a tenth and a half lie within these. */
const kinds = {
  'a tenth by number': { filter: 'price:<100' },
  'a tenth by distance': { filter: `at:(${centre}, ${cap(0.8)} km)` },
  'half by number': { filter: 'price:<500' },
  'half by distance': { filter: `at:(${centre}, ${cap(0)} km)` },
  'within 200 km': { filter: `at:(${centre}, 200 km)` },
  'a polygon with 6 corners': { filter: `at:(${star(6)})` },
  'a polygon with 100 corners': { filter: `at:(${star(100)})` },
  'ordered by number': { sort: [{ field: 'price', descending: false }] },
  'ordered by distance': { sort: [{ field: 'at', descending: false, from }] },
};
const ratios = [
  ['a tenth by distance', 'a tenth by number'],
  ['half by distance', 'half by number'],
  ['within 200 km', 'a tenth by number'],
  ['a polygon with 6 corners', 'a tenth by number'],
  ['a polygon with 100 corners', 'a tenth by number'],
  ['ordered by distance', 'ordered by number'],
];

const least = measure();
const table = Object.entries(kinds).map(([kind, query]) => {
  const { found } = search(query);
  const base = ratios.find(([name]) => name === kind)?.[1];
  const ratio = base === undefined ? '' : `${(least[kind] / least[base]).toFixed(1)} × ${base}`;
  return [kind, { found, ms: Number(least[kind].toFixed(2)), ratio }];
});
console.log(`${documentCount} documents with a point each`);
console.table(Object.fromEntries(table));

function measure() {
  const best = {};
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [kind, query] of Object.entries(kinds)) {
      const before = process.cpuUsage();
      for (let i = 0; i < searchesAtOnce; i += 1) search(query);
      const { user, system } = process.cpuUsage(before);
      const ms = (user + system) / 1_000 / searchesAtOnce;
      best[kind] = Math.min(best[kind] ?? Number.POSITIVE_INFINITY, ms);
    }
  }
  return best;
}

function search(query) {
  return index.search(searchFor({ text: '*', limit: 10, highlightFields: [], ...query }));
}

/** Evenly over the sphere, the same in every run. */
function documents() {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: documentCount }, (_, i) => {
    const at = { lat: (Math.asin(2 * next() - 1) * 180) / Math.PI, lng: 360 * next() - 180 };
    return document(`d${i}`, { at, price: 1_000 * next() });
  });
}

/** Between the tropics and half around, so that about a tenth lies in it. */
function star(corners) {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (i / corners) * 2 * Math.PI;
    return `${25 * Math.sin(angle)}, ${65 * Math.cos(angle)}`;
  }).join(', ');
}
