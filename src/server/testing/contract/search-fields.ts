import fc from 'fast-check';

/** Of the collection that requests are about. */
const dimension = 384;

const degrees = (most: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.double({ min: -most, max: most, noNaN: true }).map(plain) },
    { weight: 2, arbitrary: fc.integer({ min: -most, max: most }) },
    { weight: 1, arbitrary: fc.constantFrom(-most, most, -0, 50, 14) },
  );
/** Without an exponent, which filters do not take. */
const plain = (value: number) => Number(value.toFixed(6));
const onEarth = fc.record({ lat: degrees(90), lng: degrees(180) });
const beside = fc.constantFrom({ lat: 90.1, lng: 0 }, { lat: 0, lng: -181 }, { lat: 1e-9, lng: 1e300 });
const point = fc.oneof({ weight: 9, arbitrary: onEarth }, { weight: 1, arbitrary: beside });
const onePoint = fc.oneof(
  point,
  point.map(({ lat, lng }) => [lat, lng]),
);

/** A point, and an array of points, as documents hold them. */
const heldPlaces = fc.oneof(onePoint, fc.array(onePoint, { maxLength: 5 }));

const written = ({ lat, lng }: { lat: number; lng: number }) => `${lat}, ${lng}`;
const placed = point.map(written);
const radius = fc.tuple(
  fc.oneof(fc.double({ min: 0, max: 25_000, noNaN: true }), fc.constantFrom(0, 5, -1, 20_016)),
  fc.constantFrom('km', 'mi', 'm'),
);
const circle = fc.tuple(placed, radius).map(([at, [length, unit]]) => `at:(${at}, ${length} ${unit})`);
/** Of two corners there is none, and what is wider than half of the earth is refused. */
const corners = fc.oneof(
  fc.array(point, { minLength: 2, maxLength: 8 }),
  fc
    .tuple(
      onEarth,
      fc.array(fc.record({ lat: fc.integer({ min: -9, max: 9 }), lng: degrees(20) }), {
        minLength: 3,
        maxLength: 8,
      }),
    )
    .map(([{ lat, lng }, offsets]) =>
      offsets.map((offset) => ({ lat: plain(lat * 0.8 + offset.lat), lng: plain(lng * 0.8 + offset.lng) })),
    ),
);
const polygon = corners.map((each) => `at:(${each.map(written).join(', ')})`);
const condition = fc.oneof(
  { weight: 3, arbitrary: circle },
  { weight: 3, arbitrary: polygon },
  { weight: 1, arbitrary: fc.constantFrom('year:>1900', 'title:metropolis', 'at:*', 'year:[1900..2000]') },
);
const asked = fc.tuple(fc.constantFrom('', '!'), condition).map(([not, text]) => (not ? `!(${text})` : text));
const filter = fc
  .tuple(asked, fc.array(fc.tuple(fc.constantFrom('&&', '||'), asked), { maxLength: 3 }))
  .map(([first, others]) => [first, ...others.flat()].join(' '));

const direction = fc.constantFrom('asc', 'desc');
const distance = fc.tuple(placed, direction).map(([at, order]) => `at(${at}):${order}`);
const sort = fc
  .tuple(distance, fc.subarray(['year:desc', '_score:desc', 'title:asc', 'at(0, 0):asc']))
  .map((keys) => keys.flat().join(','));

/** Random ones would take most of the time. */
const numbers = fc
  .record({
    length: fc.oneof(
      { weight: 6, arbitrary: fc.constant(dimension) },
      { weight: 1, arbitrary: fc.constantFrom(1, dimension - 1) },
    ),
    scale: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0.1) },
      { weight: 1, arbitrary: fc.constantFrom(0, 1e-300, 1e38, 1e300) },
    ),
    phase: fc.integer({ min: 0, max: 1_000 }),
  })
  .map(({ length, scale, phase }) => Array.from({ length }, (_, i) => scale * Math.sin(i + phase)));
const threshold = fc.oneof(fc.double({ min: -2, max: 2, noNaN: true }), fc.constantFrom(0, 1e9));
const k = fc.integer({ min: 1, max: 300 });
const id = fc.constantFrom('1', '2', '2', 'none');
const options = fc.record({ k, distance_threshold: threshold }, { requiredKeys: [] });
const compared = fc.oneof(
  { weight: 3, arbitrary: fc.record({ vector: numbers }) },
  { weight: 2, arbitrary: fc.record({ id }) },
);
/** Both at once are refused. */
const asText = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: compared },
      { weight: 1, arbitrary: fc.record({ vector: numbers, id }) },
    ),
    options,
  )
  .map(([of, own]) => {
    const { vector = [], ...named } = { ...of, ...own } as { vector?: number[] };
    const parts = Object.entries(named).map(([name, value]) => `${name}:${value}`);
    return `embedding:(${[`[${vector.join(', ')}]`, ...parts].join(', ')})`;
  });
const vectorQuery = fc.oneof(
  numbers,
  fc.tuple(compared, options).map((given) => Object.assign({}, ...given) as object),
  asText,
);

/** Values of fields whose schema alone says too little: hardly any text is a filter. */
export const searchFields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  at: heldPlaces,
  filter_by: filter,
  sort_by: sort,
  vector_query: vectorQuery,
};
