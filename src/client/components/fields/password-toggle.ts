/** The eye in a password field, reachable by keyboard and named. */
export const passwordToggle = { 'aria-label': 'Show password', tabIndex: 0 } as const;
