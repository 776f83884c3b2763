export * from './accounts.ts';
export * from './activity.ts';
export * from './api-keys.ts';
export * from './audit-entries.ts';
export * from './collections.ts';
export * from './conversations.ts';
export * from './rules.ts';
export * from './workspaces.ts';
