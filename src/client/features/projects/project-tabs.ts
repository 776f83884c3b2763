/** The project page's tabs, by their name in the URL. Apart from the page, so that the route's schema does not load it. */
export const projectTabs = ['collections', 'api-keys'] as const;
export type ProjectTab = (typeof projectTabs)[number];
