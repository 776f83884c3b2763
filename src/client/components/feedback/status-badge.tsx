import { Badge } from '@mantine/core';

/** 'Active', 'Inactive' or 'Expired', in words as well as in colour, and never narrower than the word. */
export function StatusBadge({ isActive, hasExpired = false }: { isActive: boolean; hasExpired?: boolean }) {
  if (isActive && hasExpired) return <Word color="red">Expired</Word>;
  return <Word color={isActive ? 'green' : 'gray'}>{isActive ? 'Active' : 'Inactive'}</Word>;
}

function Word({ color, children }: { color: string; children: string }) {
  return (
    <Badge color={color} miw="max-content" flex="none">
      {children}
    </Badge>
  );
}
