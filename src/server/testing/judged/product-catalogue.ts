/**
 * A made-up catalogue and what people ask of it in one to five words. Judged by construction: a product is as good an answer as it has of what was asked for,
 * and none if it is another kind of thing. Descriptions name other things, too ("goes with a leather jacket"), as those of shops do.
 */

import { RandomNumbers } from '#server/random-numbers.ts';
import type { CorpusRow, JudgedQuery, JudgedSet } from './judged-set.ts';
import { someOf } from './some-of.ts';

const kinds: readonly [kind: string, materials: string, uses: string][] = [
  ['headphones', 'aluminium plastic leather', 'travel studio gaming running'],
  ['speaker', 'plastic bamboo aluminium', 'outdoor party kitchen travel'],
  ['backpack', 'canvas nylon leather', 'hiking school travel commuting'],
  ['jacket', 'leather denim wool nylon', 'winter hiking running cycling'],
  ['boots', 'leather suede rubber', 'winter hiking work riding'],
  ['sneakers', 'canvas leather mesh', 'running gym walking tennis'],
  ['lamp', 'brass glass bamboo paper', 'desk bedside reading outdoor'],
  ['chair', 'oak leather plastic steel', 'desk dining outdoor gaming'],
  ['table', 'oak glass steel marble', 'dining coffee outdoor folding'],
  ['kettle', 'steel glass copper', 'camping kitchen travel office'],
  ['frying pan', 'copper steel iron ceramic', 'induction camping kitchen eggs'],
  ['knife', 'steel ceramic carbon', 'bread chef camping paring'],
  ['tent', 'nylon canvas polyester', 'camping family festival winter'],
  ['sleeping bag', 'down nylon cotton', 'camping winter summer kids'],
  ['water bottle', 'steel glass plastic', 'cycling gym school hiking'],
  ['watch', 'steel leather titanium', 'diving running dress field'],
  ['sunglasses', 'acetate titanium wood', 'driving cycling beach sailing'],
  ['notebook', 'paper leather cork', 'travel sketch school meeting'],
  ['keyboard', 'aluminium plastic wood', 'gaming office travel silent'],
  ['phone case', 'leather silicone wood', 'running travel rugged slim'],
];
const brands = [
  'Larkspur',
  'Anvil',
  'Northwind',
  'Tessel',
  'Brisk',
  'Oakhand',
  'Ferrum',
  'Saltbox',
  'Kite',
  'Moss',
];
const colours = ['black', 'white', 'red', 'blue', 'green', 'brown', 'grey', 'yellow'];
const features = [
  'wireless',
  'waterproof',
  'foldable',
  'lightweight',
  'rechargeable',
  'handmade',
  'vintage',
  'compact',
];
const names = [
  'Hush',
  'Pebble',
  'Drift',
  'Ember',
  'Atlas',
  'Juniper',
  'Comet',
  'Harbor',
  'Willow',
  'Quarry',
  'Sable',
  'Flint',
];

/** How many products and queries, and what they are drawn by. */
interface Made {
  count: number;
  queries: number;
  seed: number;
}

interface Product {
  id: string;
  kind: string;
  brand: string;
  colour: string;
  material: string;
  use: string;
  features: string[];
}

type Attribute = 'brand' | 'colour' | 'material' | 'use' | 'feature';

const forms: readonly (readonly Attribute[])[] = [
  [],
  ['colour'],
  ['feature'],
  ['use'],
  ['brand'],
  ['material'],
  ['colour', 'material'],
  ['brand', 'colour'],
  ['feature', 'use'],
  ['feature', 'feature'],
  ['brand', 'feature', 'use'],
  ['colour', 'material', 'use'],
];

export function productCatalogue({ count, queries: asked, seed }: Made): {
  rows: CorpusRow[];
  set: JudgedSet;
} {
  const random = new RandomNumbers(seed);
  const products: Product[] = [];
  const rows: CorpusRow[] = [];
  for (let i = 0; i < count; i += 1) {
    const product = makeProduct(String(i), random);
    products.push(product);
    rows.push(toRow(product, random));
  }
  const queries: JudgedQuery[] = [];
  for (let i = 0; i < asked; i += 1)
    queries.push(ask(String(i), { products, form: forms[i % forms.length] ?? [] }, random));
  const set: JudgedSet = { name: 'products', queries };
  return { rows, set };
}

function makeProduct(id: string, random: RandomNumbers): Product {
  const [kind, materials, uses] = random.pick(kinds);
  return {
    id,
    kind,
    brand: random.pick(brands),
    colour: random.pick(colours),
    material: random.pick(materials.split(' ')),
    use: random.pick(uses.split(' ')),
    features: someOf(features, random.between(1, 3), random),
  };
}

/** Half of what a product is stands in its name, the rest in its description or among its tags. */
function toRow(product: Product, random: RandomNumbers): CorpusRow {
  const { id, kind, brand, colour, material, use, features: own } = product;
  const other = makeProduct('', random);
  const inName = someOf([colour, material, ...own], random.between(0, 2), random);
  const description = [
    `This ${someOf([colour, material, ...own], 3, random).join(' ')} ${kind} was made for ${use}.`,
    random.pick([
      `Goes well with a ${other.colour} ${other.material} ${other.kind}.`,
      `Need something for ${other.use}? See our ${other.features[0] ?? ''} ${other.kind}.`,
      `Made by the people behind the ${other.brand} ${other.kind}.`,
      'Ships in two days, and may be sent back for a month.',
    ]),
  ].join(' ');
  return {
    _id: id,
    name: `${brand} ${random.pick(names)} ${[...inName, kind].join(' ')}`,
    description,
    brand,
    colour,
    category: kind,
    tags: [use, ...own],
    price: random.between(5, 400),
  };
}

function ask(
  id: string,
  { products, form }: { products: readonly Product[]; form: readonly Attribute[] },
  random: RandomNumbers,
): JudgedQuery {
  const wanted = random.pick(products);
  const own = someOf(wanted.features, wanted.features.length, random);
  const asked = form.flatMap((attribute): Asked[] => {
    const value = attribute === 'feature' ? own.pop() : wanted[attribute];
    return value === undefined ? [] : [{ attribute, value }];
  });
  const grades = new Map<string, number>();
  for (const product of products) {
    if (product.kind !== wanted.kind) continue;
    const held = asked.filter(({ attribute, value }) =>
      attribute === 'feature' ? product.features.includes(value) : product[attribute] === value,
    ).length;
    const grade = 3 - (asked.length - held);
    if (grade > 0) grades.set(product.id, grade);
  }
  // People name the thing last, but for what it is for.
  const words = [...asked.filter((each) => !isUse(each)), { value: wanted.kind }, ...asked.filter(isUse)];
  return { id, text: words.map(({ value }) => value.toLowerCase()).join(' '), grades };
}

interface Asked {
  attribute: Attribute;
  value: string;
}

const isUse = ({ attribute }: Asked): boolean => attribute === 'use';
