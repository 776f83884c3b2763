/** The 27 endpoints of the API playground with the bodies that it shows, on the collection `products`; in an order in which each finds what it is about. */
export interface PlaygroundEndpoint {
  group: 'collections' | 'documents' | 'search' | 'synonyms' | 'overrides';
  method: string;
  path: string;
  body?: unknown;
}

const collection = '/api/collections/products';
const vector = Array.from({ length: 384 }, (_, i) => Math.sin(i + 1) / 10);

const headphones = {
  id: 'product-1',
  name: 'Wireless Headphones',
  description: 'Comfortable over-ear headphones with noise cancellation',
  price: 199.99,
  categories: ['electronics', 'audio'],
  in_stock: true,
};
const speaker = {
  id: 'product-2',
  name: 'Bluetooth Speaker',
  description: 'A small wireless speaker with a long battery life',
  price: 79.5,
  categories: ['electronics', 'audio'],
  in_stock: true,
};
const jacket = {
  id: 'product-3',
  name: 'Rain Jacket',
  description: 'A light jacket that keeps you dry',
  price: 120,
  categories: ['clothing'],
  in_stock: false,
};

export const playground = (projectId: number): PlaygroundEndpoint[] => [
  { group: 'collections', method: 'GET', path: `/api/collections?projectId=${projectId}` },
  {
    group: 'collections',
    method: 'POST',
    path: '/api/collections',
    body: {
      name: 'products',
      description: 'Product catalogue',
      dimension: 384,
      metric: 'cosine',
      projectId,
    },
  },
  { group: 'collections', method: 'GET', path: collection },

  { group: 'documents', method: 'POST', path: `${collection}/documents`, body: headphones },
  { group: 'documents', method: 'POST', path: `${collection}/documents/import`, body: [speaker, jacket] },
  { group: 'documents', method: 'GET', path: `${collection}/documents/product-1` },
  {
    group: 'documents',
    method: 'PUT',
    path: `${collection}/documents/product-1`,
    body: { ...headphones, price: 179.99 },
  },

  {
    group: 'synonyms',
    method: 'POST',
    path: `${collection}/synonyms`,
    body: { id: 'headphones', synonyms: ['headphones', 'earphones', 'headset'], root: 'headphones' },
  },
  { group: 'synonyms', method: 'GET', path: `${collection}/synonyms` },
  { group: 'synonyms', method: 'GET', path: `${collection}/synonyms/headphones` },

  {
    group: 'overrides',
    method: 'POST',
    path: `${collection}/overrides`,
    body: {
      id: 'promote-headphones',
      rule: { query: 'wireless', match: 'exact' },
      includes: [{ id: 'product-1', position: 1 }],
      excludes: [{ id: 'product-3' }],
    },
  },
  { group: 'overrides', method: 'GET', path: `${collection}/overrides` },
  { group: 'overrides', method: 'GET', path: `${collection}/overrides/promote-headphones` },

  {
    group: 'search',
    method: 'GET',
    path: `${collection}/search?query=wireless&query_by=name,description&per_page=10`,
  },
  {
    group: 'search',
    method: 'POST',
    path: `${collection}/search`,
    body: {
      query: 'wireless',
      query_by: 'name,description',
      filter_by: 'price:<500',
      sort_by: 'price:asc',
      facet_by: 'categories',
      per_page: 10,
    },
  },
  { group: 'search', method: 'GET', path: `${collection}/vector-search?query=music%20without%20wires&k=10` },
  {
    group: 'search',
    method: 'POST',
    path: `${collection}/vector-search`,
    body: { query: 'music without wires', vector_query: { vector, k: 10 }, filter_by: 'in_stock:true' },
  },
  { group: 'search', method: 'GET', path: `${collection}/similar?id=product-1&k=10` },
  { group: 'search', method: 'POST', path: `${collection}/similar`, body: { id: 'product-1', k: 10 } },
  { group: 'search', method: 'GET', path: `${collection}/hybrid-search?query=wireless&alpha=0.5&k=10` },
  {
    group: 'search',
    method: 'POST',
    path: `${collection}/hybrid-search`,
    body: { query: 'wireless', vector_query: vector, filter_by: 'price:<500', alpha: 0.5, k: 10 },
  },
  {
    group: 'search',
    method: 'POST',
    path: '/api/multi-search',
    body: {
      searches: [
        { collection: 'products', query: 'wireless', query_by: 'name,description', filter_by: 'price:<500' },
        { collection: 'products', query: 'jacket', query_by: 'name', filter_by: 'in_stock:false' },
      ],
    },
  },
  {
    group: 'search',
    method: 'POST',
    path: `${collection}/chat`,
    body: { message: 'Which headphones have noise cancellation?', context_limit: 5, conversation_id: null },
  },

  { group: 'overrides', method: 'DELETE', path: `${collection}/overrides/promote-headphones` },
  { group: 'synonyms', method: 'DELETE', path: `${collection}/synonyms/headphones` },
  { group: 'documents', method: 'DELETE', path: `${collection}/documents/product-3` },
  { group: 'collections', method: 'DELETE', path: collection },
];
