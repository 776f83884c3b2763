/** The collections that come with the product, to try it with. Small, because every page of the console may show them. */
export const sampleNames = ['films', 'artworks', 'products'] as const;
export type SampleName = (typeof sampleNames)[number];

interface SampleSet {
  title: string;
  /** Of the card. */
  summary: string;
  /** Of the collection that is made; also how a loaded one is known again. */
  description: string;
  documents: number;
  /** A search that shows at once what it is good for. */
  query: string;
}

export const sampleSets: Readonly<Record<SampleName, SampleSet>> = {
  films: {
    title: 'Films',
    summary: 'Films with cast, genres and plot',
    description: 'Films of 1900 to 2023 with an extract of their Wikipedia article (CC BY-SA 4.0).',
    documents: 4_000,
    query: 'robots learning to love',
  },
  artworks: {
    title: 'Artworks',
    summary: "Works in Tate's collection",
    description: "Works in Tate's collection with artist, medium and subjects (CC0).",
    documents: 8_000,
    query: 'shipwreck in a storm',
  },
  products: {
    title: 'Products',
    summary: 'A small shop, loaded in a second',
    description: 'A small catalogue of made-up products, the one behind the landing page.',
    documents: 63,
    query: 'gift for a coffee lover',
  },
};
