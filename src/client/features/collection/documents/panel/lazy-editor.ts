import { lazyPart } from '#client/lib/lazy-part.ts';

/** The editor and its diff are as large as a page: fetched when somebody edits. */
export const DocumentEditor = lazyPart(async () => ({
  default: (await import('./edit/document-editor.tsx')).DocumentEditor,
}));
