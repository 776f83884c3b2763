/** The tabs of the console's playground, in their order. */
export const playgroundTabs = ['Collections', 'Documents', 'Search', 'Synonyms', 'Overrides'] as const;
export type PlaygroundTab = (typeof playgroundTabs)[number];
