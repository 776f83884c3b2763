import type { ComponentType } from 'react';
import type { IconShape } from '#client/components/display/icon.tsx';
import {
  adjustmentsHorizontalIcon,
  chartBarIcon,
  chartDots3Icon,
  dotsIcon,
  fileTextIcon,
  listDetailsIcon,
  starIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { CollectionTab } from './collection-state.ts';
import type { CollectionTabProps } from './tab-props.ts';

/** Each tab is fetched when it is opened. */
export const tabs: Record<
  CollectionTab,
  { label: string; icon: IconShape; Part: ComponentType<CollectionTabProps> }
> = {
  documents: {
    label: 'Documents',
    icon: fileTextIcon,
    Part: lazyPart(async () => ({ default: (await import('./documents/documents-tab.tsx')).DocumentsTab })),
  },
  schema: {
    label: 'Schema',
    icon: listDetailsIcon,
    Part: lazyPart(async () => ({ default: (await import('./schema/schema-tab.tsx')).SchemaTab })),
  },
  tuning: {
    label: 'Tuning',
    icon: adjustmentsHorizontalIcon,
    Part: lazyPart(async () => ({ default: (await import('./tuning/tuning-tab.tsx')).TuningTab })),
  },
  relevance: {
    label: 'Relevance',
    icon: starIcon,
    Part: lazyPart(async () => ({ default: (await import('./relevance/relevance-tab.tsx')).RelevanceTab })),
  },
  analytics: {
    label: 'Analytics',
    icon: chartBarIcon,
    Part: lazyPart(async () => ({ default: (await import('./analytics/analytics-tab.tsx')).AnalyticsTab })),
  },
  map: {
    label: 'Map',
    icon: chartDots3Icon,
    Part: lazyPart(async () => ({ default: (await import('./map/map-tab.tsx')).MapTab })),
  },
  manage: {
    label: 'Manage',
    icon: dotsIcon,
    Part: lazyPart(async () => ({ default: (await import('./manage/manage-tab.tsx')).ManageTab })),
  },
};
