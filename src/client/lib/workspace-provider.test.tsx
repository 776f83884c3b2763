import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { answerTrpc } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { projectRow, workspaceRow } from '#client/testing/rows.ts';
import { noteDeparture } from './own-departures.ts';
import { pastToasts } from './toast.ts';
import { useWorkspace, WorkspaceProvider } from './workspace-provider.tsx';

function Chosen() {
  const { workspace, project, selectWorkspace, selectProject } = useWorkspace();
  return (
    <>
      <output>{`${workspace?.name ?? 'none'} / ${project?.name ?? 'none'}`}</output>
      <button type="button" onClick={() => selectWorkspace(2)}>
        workspace 2
      </button>
      <button type="button" onClick={() => selectProject(11)}>
        project 11
      </button>
    </>
  );
}

function serve(workspaces = [workspaceRow(1, 'Acme'), workspaceRow(2, 'Beta')]) {
  return answerTrpc({
    'workspaces.list': () => workspaces,
    'projects.list': (input) => {
      const { workspaceId } = input as { workspaceId: number };
      return [projectRow(workspaceId * 10 + 1, `Project of ${workspaceId}`, workspaceId)];
    },
  });
}

const renderChosen = () =>
  renderPart(
    <WorkspaceProvider>
      <Chosen />
    </WorkspaceProvider>,
  );
const shown = async (text: string) =>
  waitFor(async () => expect((await screen.findByRole('status')).textContent).toBe(text));
const stored = () => [localStorage.getItem('selectedWorkspaceId'), localStorage.getItem('selectedProjectId')];

describe('WorkspaceProvider', () => {
  it('says where useWorkspace may be used', () => {
    expect(() => renderToStaticMarkup(<Chosen />)).toThrow(
      'useWorkspace must be used within a WorkspaceProvider',
    );
  });

  it('takes the first workspace when none was chosen, and stores it', async () => {
    serve();
    renderChosen();
    await shown('Acme / none');
    expect(stored()).toEqual(['1', null]);
  });

  it('keeps what was stored', async () => {
    localStorage.setItem('selectedWorkspaceId', '2');
    localStorage.setItem('selectedProjectId', '21');
    serve();
    renderChosen();
    await shown('Beta / Project of 2');
    expect(stored()).toEqual(['2', '21']);
  });

  it('falls back to the first workspace when the stored one is gone, and clears the project', async () => {
    localStorage.setItem('selectedWorkspaceId', '99');
    localStorage.setItem('selectedProjectId', '11');
    serve();
    renderChosen();
    await shown('Acme / none');
    expect(stored()).toEqual(['1', null]);
  });

  it('clears the project when another workspace is chosen', async () => {
    serve();
    renderChosen();
    await shown('Acme / none');
    await userEvent.click(screen.getByText('project 11'));
    await shown('Acme / Project of 1');
    expect(stored()).toEqual(['1', '11']);
    await userEvent.click(screen.getByText('workspace 2'));
    await shown('Beta / none');
    expect(stored()).toEqual(['2', null]);
  });

  it('says that the workspace that was shown is gone, unless the reader left it', async () => {
    localStorage.setItem('selectedWorkspaceId', '2');
    const rows = [workspaceRow(1, 'Acme'), workspaceRow(2, 'Beta'), workspaceRow(3, 'Gamma')];
    const workspaces = [...rows];
    serve(workspaces);
    const { loaders } = renderChosen();
    await shown('Beta / none');
    workspaces.splice(1, 1);
    await loaders.workspaces.list.invalidate();
    expect(await screen.findByText('You are no longer in Beta')).toBeDefined();
    expect(screen.getByText(/Acme is shown now/)).toBeDefined();
    noteDeparture(1);
    workspaces.splice(0, 1);
    await loaders.workspaces.list.invalidate();
    await shown('Gamma / none');
    expect(pastToasts().map(({ title }) => title)).toEqual(['You are no longer in Beta']);
  });

  it('has no workspace where there is none', async () => {
    const { calls } = serve([]);
    renderChosen();
    await shown('none / none');
    expect(calls.map(({ path }) => path)).not.toContain('projects.list');
  });
});
