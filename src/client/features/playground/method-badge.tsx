import { Badge, type BadgeVariant } from '@mantine/core';
import type { Method } from './endpoints.ts';

const looks: Record<Method, { variant: BadgeVariant; color: string }> = {
  GET: { variant: 'light', color: 'gray' },
  POST: { variant: 'filled', color: 'iris' },
  PUT: { variant: 'outline', color: 'gray' },
  PATCH: { variant: 'outline', color: 'gray' },
  DELETE: { variant: 'filled', color: 'red' },
};

/** As wide as the widest, so that what follows stands in a line. */
export function MethodBadge({ method }: { method: Method }) {
  return (
    <Badge {...looks[method]} w="4.25rem" flex="none">
      {method}
    </Badge>
  );
}
