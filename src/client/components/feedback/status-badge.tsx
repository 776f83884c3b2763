import { Badge } from '@mantine/core';

/** 'Active' or 'Inactive', in words as well as in colour. */
export function StatusBadge({ isActive }: { isActive: boolean }) {
  return <Badge color={isActive ? 'green' : 'gray'}>{isActive ? 'Active' : 'Inactive'}</Badge>;
}
