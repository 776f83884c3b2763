import { Card, Group, SimpleGrid, Skeleton } from '@mantine/core';

const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
const columns = { base: 1, sm: 2, lg: 3 };

/** A grid of cards that is on its way: each as large and laid out as a `LinkCard`. */
export function CardGridSkeleton({ cardHeight }: { cardHeight: string }) {
  return (
    <SimpleGrid cols={columns} aria-hidden="true">
      {places.map((place) => (
        <Card key={place} h={cardHeight}>
          <Skeleton height="1rem" width="55%" />
          <Skeleton height="0.625rem" width="38%" mt="0.625rem" />
          <Skeleton height="0.625rem" mt="1.25rem" />
          <Skeleton height="0.625rem" width="70%" mt="0.5rem" />
          <Group justify="space-between" mt="auto">
            <Skeleton height="1.25rem" width="3.5rem" />
            <Skeleton height="0.625rem" width="5.5rem" />
          </Group>
        </Card>
      ))}
    </SimpleGrid>
  );
}
