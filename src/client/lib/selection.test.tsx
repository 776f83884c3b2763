import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSelection, validSelection, writeSelection } from './selection.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('the selection in storage', () => {
  it('is kept under the two agreed keys', () => {
    writeSelection({ workspaceId: 4, projectId: 9 });
    expect(localStorage.getItem('selectedWorkspaceId')).toBe('4');
    expect(localStorage.getItem('selectedProjectId')).toBe('9');
    expect(readSelection()).toEqual({ workspaceId: 4, projectId: 9 });
  });

  it('is removed when empty', () => {
    writeSelection({ workspaceId: 4, projectId: 9 });
    writeSelection({ workspaceId: 4, projectId: null });
    expect(localStorage.getItem('selectedProjectId')).toBeNull();
    writeSelection({ workspaceId: null, projectId: null });
    expect(localStorage.length).toBe(0);
    expect(readSelection()).toEqual({ workspaceId: null, projectId: null });
  });

  it('is none where what is stored is no id', () => {
    localStorage.setItem('selectedWorkspaceId', 'acme');
    expect(readSelection().workspaceId).toBe(null);
  });
});

describe('validSelection', () => {
  const workspaces = [{ id: 1 }, { id: 2 }];

  it('keeps a workspace that is in the list, with its project', () => {
    const selection = { workspaceId: 2, projectId: 5 };
    expect(validSelection(selection, workspaces)).toEqual(selection);
  });

  it.each([7, null])('takes the first workspace instead of %j and clears the project', (workspaceId) => {
    expect(validSelection({ workspaceId, projectId: 5 }, workspaces)).toEqual({
      workspaceId: 1,
      projectId: null,
    });
  });

  it('changes nothing while there is no workspace to take', () => {
    const selection = { workspaceId: 7, projectId: 5 };
    expect(validSelection(selection, [])).toEqual(selection);
  });
});
