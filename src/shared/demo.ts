import { z } from 'zod';
import type { Highlight, SearchMode } from './search.ts';

/** What visitors of the landing page may ask the sample catalogue. */
export const demoInput = z.strictObject({
  query: z.string().max(256, 'must be at most 256 characters'),
});

/** The weight of meaning is that of the column in the middle. */
export const demoComparisonInput = demoInput.extend({ alpha: z.number().min(0).max(1) });

export interface DemoHit {
  id: string;
  name: string;
  description: string;
  category: string;
  brand: string;
  /** US dollars. */
  price: number;
  rating: number;
  /** 0 to 1, words and meaning together. */
  score: number;
  /** What words and meaning add to the score. */
  parts: { words: number; meaning: number };
  highlights: Highlight[];
}

export interface DemoAnswer {
  /** At most two, the best first; none where nothing fits. */
  hits: DemoHit[];
  search_time_ms: number;
}

/** A product in one of three orders. */
export interface DemoPlace {
  id: string;
  name: string;
  /** Whether it answers the question, wherever it stands. */
  fits: boolean;
}

export interface DemoComparison {
  /** At most five products a way, the best first. */
  columns: Record<SearchMode, DemoPlace[]>;
  search_time_ms: number;
}
