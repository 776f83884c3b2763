import { lazyPart } from '#client/lib/lazy-part.ts';

const charts = () => import('./charts.tsx');

export const RequestsChart = lazyPart(async () => ({ default: (await charts()).RequestsChart }));
export const ResponseTimeChart = lazyPart(async () => ({ default: (await charts()).ResponseTimeChart }));
export const LoadChart = lazyPart(async () => ({ default: (await charts()).LoadChart }));
export const ConnectionsChart = lazyPart(async () => ({ default: (await charts()).ConnectionsChart }));
