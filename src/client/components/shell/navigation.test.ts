import { describe, expect, it } from 'vitest';
import { activeItem } from './navigation.ts';

describe('activeItem', () => {
  it.each([
    ['/projects', '/projects'],
    ['/projects/12', '/projects'],
    ['/dashboard', '/dashboard'],
    ['/projects-archive', undefined],
    ['/', undefined],
  ])('%s belongs to %s', (pathname, to) => {
    expect(activeItem(pathname)?.to).toBe(to);
  });
});
