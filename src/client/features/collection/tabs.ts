import type { ComponentType } from 'react';
import type { IconShape } from '#client/components/display/icon.tsx';
import { listDetailsIcon, starIcon } from '#client/components/display/icon-shapes.gen.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { CollectionTab } from './collection-state.ts';
import type { CollectionTabProps } from './tab-props.ts';

/** Each tab is fetched when it is opened. */
export const tabs: Record<
  CollectionTab,
  { label: string; icon: IconShape; Part: ComponentType<CollectionTabProps> }
> = {
  schema: {
    label: 'Schema',
    icon: listDetailsIcon,
    Part: lazyPart(async () => ({ default: (await import('./schema/schema-tab.tsx')).SchemaTab })),
  },
  relevance: {
    label: 'Relevance',
    icon: starIcon,
    Part: lazyPart(async () => ({ default: (await import('./relevance/relevance-tab.tsx')).RelevanceTab })),
  },
};
