import { expect, test } from 'vitest';
import { targetText } from './audit-words.ts';

const target = { kind: 'workspace', id: 1, name: 'Acme' } as const;

test('an alert rule is called by its name, other deeds by what they were done to', () => {
  const rule = { rule: 'Too many errors' };
  expect(targetText({ action: 'alertRules.create', target, before: null, after: rule })).toBe(
    'alert rule Too many errors',
  );
  expect(targetText({ action: 'alertRules.delete', target, before: rule, after: null })).toBe(
    'alert rule Too many errors',
  );
  expect(targetText({ action: 'members.remove', target, before: null, after: null })).toBe('workspace Acme');
});
