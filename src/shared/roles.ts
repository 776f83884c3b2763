/** Ordered by power: each role may do what those before it may. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export function isAtLeast(role: Role, roleMin: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(roleMin);
}
