import { expect, it } from 'vitest';
import { collectionRow } from '#client/testing/rows.ts';
import { limits } from '#shared/limits.ts';
import { chooseCollections } from './choose-collections.ts';

const row = (id: number, projectId: number, documentCount = 1, isActive = true) => ({
  ...collectionRow(id, `c${id}`, documentCount),
  projectId,
  isActive,
});
const collections = [row(1, 7, 0), row(2, 7), row(3, 7), row(4, 8), row(5, 8, 5, false)];
const chosen = (change: Partial<Parameters<typeof chooseCollections>[0]> = {}) => {
  const choice = { collections, wanted: undefined, fixedProject: null, project: null, ...change };
  const found = chooseCollections(choice);
  return [found.projectId, found.chosen.map(({ id }) => id)];
};

it('asks all of a project that hold documents, unless some are wanted', () => {
  expect(chosen()).toEqual([7, [2, 3]]);
  expect(chosen({ project: 8 })).toEqual([8, [4]]);
  expect(chosen({ wanted: [1] })).toEqual([7, [1]]);
  expect(chosen({ wanted: [3, 4] })).toEqual([7, [3]]);
  expect(chosen({ wanted: [5, 99] })).toEqual([7, [2, 3]]);
});

it('stays in the project of the conversation, and in the one that was chosen though it has nothing', () => {
  expect(chosen({ fixedProject: 8, project: 7, wanted: [2] })).toEqual([8, [4]]);
  expect(chosen({ project: 9 })).toEqual([9, []]);
});

it('asks no more than one question may be about', () => {
  const many = Array.from({ length: limits.chatCollectionsMax + 1 }, (_, i) => row(i + 1, 7));
  expect(chosen({ collections: many })[1]).toHaveLength(limits.chatCollectionsMax);
});
