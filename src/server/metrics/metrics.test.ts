import { expect, test } from 'vitest';
import type { Figures } from './figures.ts';
import { createMetrics } from './metrics.ts';

const figures: Figures = {
  ways: { reads: { underWay: 3, atWork: 2 } },
  waiting: { engine: 5 },
  heldBytes: { bodies: { now: 1_024, max: 2_048 } },
  embeddingAnswers: { queries: false, documents: true },
  indexesOpen: 7,
  importsUnderWay: 1,
  connectionsInUse: 4,
};

test('figures are those of the moment in which they are asked for', async () => {
  const now = { ...figures };
  const metrics = createMetrics(() => now);
  expect(await metrics.text()).toContain('\nvectora_indexes_open 7\n');
  now.indexesOpen = 8;
  const text = await metrics.text();
  expect(text).toContain('\nvectora_indexes_open 8\n');
  expect(text).toContain('\nvectora_requests_under_way{way="reads"} 3\n');
  expect(text).toContain('\nvectora_requests_at_work{way="reads"} 2\n');
  expect(text).toContain('\nvectora_waiting{for="engine"} 5\n');
  expect(text).toContain('\nvectora_held_bytes{of="bodies"} 1024\n');
  expect(text).toContain('\nvectora_held_limit_bytes{of="bodies"} 2048\n');
  expect(text).toContain('\nvectora_embedding_service_answers{for="queries"} 0\n');
  expect(text).toContain('\nvectora_embedding_service_answers{for="documents"} 1\n');
  expect(text).toContain('\nvectora_database_connections_in_use 4\n');
});

test('what was turned away is counted for itself', async () => {
  const metrics = createMetrics(() => figures);
  metrics.countTurnedAway(429);
  metrics.countTurnedAway(429);
  metrics.count({ operation: 'search.keyword', status: 200, seconds: 0.004 });
  const text = await metrics.text();
  expect(text).toContain('\nvectora_requests_turned_away_total{status="429"} 2\n');
  expect(text).toContain('\nvectora_requests_total{operation="search.keyword",status="200"} 1\n');
  expect(text).toContain(
    '\nvectora_request_duration_seconds_bucket{le="0.0025",operation="search.keyword"} 0\n',
  );
  expect(text).toContain(
    '\nvectora_request_duration_seconds_bucket{le="0.005",operation="search.keyword"} 1\n',
  );
});
