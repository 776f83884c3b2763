/** A search of one collection as a page of InstantSearch goes on with it. */
interface InstantSearch {
  /** Of the multi-search. */
  url: string;
  headers: Record<string, string>;
  collection: string;
  /** What is asked whatever is typed; a filter among it is joined with what is ticked. */
  search: Record<string, unknown>;
  query: string;
  /** The fields that can be ticked, each with the ticked values. */
  facets: Record<string, string[]>;
}

/**
 * A module that shows the search by InstantSearch.js, in elements with the ids `searchbox`, `hits`, `pagination` and one for each facet.
 * Its search client speaks of requests and answers as https://www.algolia.com/doc/guides/building-search-ui/going-further/backend-search/in-depth/backend-instantsearch/js/
 * describes them.
 */
export function instantSearchCode({
  url,
  headers,
  collection,
  search,
  query,
  facets,
}: InstantSearch): string {
  const fields = Object.keys(facets);
  const widgets = ['hits', 'pagination', ...(fields.length > 0 ? ['refinementList'] : []), 'searchBox'];
  const ticked = Object.fromEntries(Object.entries(facets).filter(([, values]) => values.length > 0));
  const state = {
    ...(query && { query }),
    ...(Object.keys(ticked).length > 0 && { refinementList: ticked }),
  };
  return `import instantsearch from 'instantsearch.js';
import { ${widgets.join(', ')} } from 'instantsearch.js/es/widgets';

const url = ${JSON.stringify(url)};
const headers = ${JSON.stringify({ ...headers, 'Content-Type': 'application/json' })};
const always = ${JSON.stringify(search)};

const quoted = (text) => \`\\\`\${text.replaceAll('\`', '\`\`')}\\\`\`;
const condition = (facet) => facet.replace(/^(.*?):(.*)$/s, (_, field, value) => \`\${quoted(field)}:=\${quoted(value)}\`);
const filterOf = ({ facetFilters = [], numericFilters = [] }) =>
  [
    always.filter_by,
    ...facetFilters.map((any) => [any].flat().map(condition).join(' || ')),
    ...numericFilters.map((any) => [any].flat().map((one) => one.replace(/(<=|>=|!=|<|>|=)/, ':$1')).join(' || ')),
  ].flatMap((part) => (part ? \`(\${part})\` : [])).join(' && ');
const requestOf = ({ indexName, params = {} }) => ({
  ...always,
  collection: indexName,
  query: params.query || '*',
  mode: params.query ? always.mode : 'keyword',
  filter_by: filterOf(params),
  facet_by: [params.facets ?? []].flat(),
  page: (params.page ?? 0) + 1,
  per_page: params.hitsPerPage ?? 20,
});
// InstantSearch escapes the words itself and marks between tags of its own.
const plain = (snippet, { highlightPreTag = '<mark>', highlightPostTag = '</mark>' }) =>
  snippet.replaceAll('<mark>', highlightPreTag).replaceAll('</mark>', highlightPostTag)
    .replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
const hitOf = ({ id, document, highlights }, params) => ({
  ...document,
  objectID: id,
  _highlightResult: Object.fromEntries([
    ...Object.entries(document).map(([field, value]) => [field, { value: String(value), matchLevel: 'none', matchedWords: [] }]),
    ...highlights.map(({ field, snippet, matched_tokens }) => [
      field, { value: plain(snippet, params), matchLevel: 'full', matchedWords: matched_tokens },
    ]),
  ]),
});
const resultOf = (answer, { indexName, params = {} }) => ({
  index: indexName,
  query: params.query ?? '',
  params: '',
  hits: answer.hits.map((hit) => hitOf(hit, params)),
  nbHits: answer.found,
  page: answer.page - 1,
  hitsPerPage: answer.per_page,
  nbPages: answer.per_page ? Math.ceil(answer.found / answer.per_page) : 0,
  facets: Object.fromEntries(answer.facet_counts.map(({ field_name, counts }) => [
    field_name, Object.fromEntries(counts.map(({ value, count }) => [value, count])),
  ])),
  exhaustiveNbHits: true,
  processingTimeMS: answer.search_time_ms,
});
const searchClient = {
  async search(requests) {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ searches: requests.map(requestOf) }) });
    const body = await response.json();
    const failed = response.ok ? body.results.find(({ error }) => error) : body;
    if (failed) throw new Error(failed.error.message);
    return { results: body.results.map((answer, i) => resultOf(answer, requests[i])) };
  },
};

const search = instantsearch({
  indexName: ${JSON.stringify(collection)},
  searchClient,
  initialUiState: ${JSON.stringify({ [collection]: state })},
  future: { preserveSharedStateOnUnmount: true },
});
search.addWidgets([
  searchBox({ container: '#searchbox' }),
  hits({
    container: '#hits',
    templates: {
      item: (hit, { html, components }) =>
        html\`<strong>\${components.Highlight({ hit, attribute: ['title', 'name'].find((field) => hit[field]) ?? 'id' })}</strong>\`,
    },
  }),
  pagination({ container: '#pagination' }),
${fields
  .map(
    (field) =>
      `  refinementList({ container: ${JSON.stringify(`#${facetId(field)}`)}, attribute: ${JSON.stringify(field)} }),\n`,
  )
  .join('')}]);
search.start();
`;
}

/** Of the element that a facet is shown in. */
function facetId(field: string): string {
  return `facet-${field.replace(/[^\p{L}\p{N}_-]+/gu, '-')}`;
}
