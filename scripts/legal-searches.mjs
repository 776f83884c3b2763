/** Searches by chance that the API allows, over papers with `title`, `text`, `year`, `field`, `tags` and `at`; the same for the same seed. */

/** Numbers from 0 to 1, the same for the same seed (mulberry32, Tommy Ettinger's public-domain generator). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const fields = Array.from({ length: 40 }, (_, i) => `field ${i}`);
export const tags = Array.from({ length: 5_000 }, (_, i) => `tag${i}`);

/** What a paper has beside its texts. */
export function moreOf(i) {
  return {
    year: 1_990 + (i % 35),
    field: fields[(i * 7) % fields.length],
    tags: [tags[i % tags.length], tags[(i * 31) % tags.length], tags[(i * 17) % 50]],
    at: [((i * 13) % 170) - 85, ((i * 29) % 350) - 175],
  };
}

/** Answers `{path, body}` without an end. @param titles words of titles */
export function* searchesOf(random, titles) {
  const below = (count) => Math.floor(random() * count);
  const one = (list) => list[below(list.length)];
  const often = (share) => random() < share;
  const word = () => one(one(titles)) ?? 'model';

  const mistyped = (text) => {
    const at = below(Math.max(1, text.length - 1));
    return `${text.slice(0, at)}${text[at + 1] ?? ''}${text[at] ?? ''}${text.slice(at + 2)}`;
  };
  const texts = [
    () => one(titles).join(' '),
    () => one(titles).slice(0, 2).join(' '),
    () => word(),
    () => word().slice(0, 1 + below(4)),
    () => mistyped(one(titles).slice(0, 3).join(' ')),
    () => Array.from({ length: 30 }, word).join(' '),
    () => Array.from({ length: 300 }, word).join(' ').slice(0, 2_000),
    () => 'the of and in a to we is for that',
    () => `"${one(titles).slice(0, 3).join(' ')}" ${word()} -${word()}`,
    () => Array.from({ length: 20 }, () => `"${one(titles).slice(0, 2).join(' ')}"`).join(' '),
    () => Array.from({ length: 30 }, () => word().slice(0, 2)).join(' '),
    () => Array.from({ length: 10 }, () => mistyped(word())).join(' '),
    () => '*',
  ];
  const conditions = [
    () => `year:>${1_990 + below(35)}`,
    () => `year:[${1_990 + below(20)}..${2_010 + below(14)}]`,
    () => `field:=${one(fields)}`,
    () => `field:!=${one(fields)}`,
    () => `tags:[${Array.from({ length: 1 + below(50) }, () => one(tags)).join(', ')}]`,
    () => `tags:${one(tags)}`,
    () => `title:${word()}`,
    () => `text:${word()}`,
    () => `text:"${word()} ${word()}"`,
    () => `at:(${below(80)}, ${below(170)}, ${10 ** below(5)} km)`,
  ];
  const filter = () => {
    const count = one([1, 1, 2, 3, 10, 100]);
    const parts = Array.from({ length: count }, () => one(conditions)());
    return parts.join(one([' && ', ' || ']));
  };
  for (;;) {
    const path = one(['search', 'search', 'hybrid-search', 'vector-search']);
    const query = one(texts)();
    const body = { query, enable_analytics: false };
    if (often(0.4)) body.filter_by = filter();
    if (often(0.3))
      body.facet_by = one(['year', 'field', 'tags', 'year,field,tags', 'year,field,tags,title']);
    if (body.facet_by && often(0.4)) body.max_facet_values = one([0, 50, 250]);
    if (body.facet_by && body.filter_by && often(0.3)) body.facet_mode = 'disjunctive';
    if (often(0.2))
      body.sort_by = one(['year:desc', 'year:asc,_score', 'title:asc', 'tags:desc', 'at(48.85, 2.35):asc']);
    if (often(0.15)) body.group_by = one(['year', 'field', 'tags', 'year,field']);
    if (body.group_by && often(0.5)) body.group_limit = one([1, 10, 50]);
    if (often(0.3)) body.per_page = one([0, 1, 50, 250]);
    if (often(0.1)) body.page = one([2, 10, 100]);
    if (often(0.2)) body.match = one(['all', 'any']);
    if (often(0.15)) body.split_join_tokens = 'always';
    if (often(0.1)) body.prefix = false;
    if (often(0.1)) body.explain = true;
    if (path !== 'search' && query !== '*') {
      if (often(0.2)) body.k = one([1, 100, 1_000]);
      if (often(0.1)) body.exact = true;
      if (path === 'hybrid-search' && often(0.2)) body.fusion = 'rrf';
    }
    yield { path, body };
  }
}
