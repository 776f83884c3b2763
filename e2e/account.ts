import { expect, type Page } from '@playwright/test';

export const password = 'correct horse battery staple';
let made = 0;

export interface Place {
  email: string;
  workspaceId: number;
  projectId: number;
}

/** A signed-in account of its own, whose first project is called 'Online shop', made over REST with the page's cookie. */
export async function startWithProject(page: Page, baseURL: string): Promise<Place> {
  made += 1;
  const username = `eve-${Date.now()}-${made}`;
  const email = `${username}@example.com`;
  await post(page, baseURL, '/api/auth/register', {
    email,
    username,
    password,
    confirmPassword: password,
    firstName: 'Eve',
    lastName: 'Tester',
  });
  const workspaces = (await (await page.request.get('/api/workspaces')).json()) as { id: number }[];
  const workspaceId = workspaces[0]?.id ?? 0;
  const projects = (await (await page.request.get('/api/projects')).json()) as { id: number }[];
  const projectId = projects[0]?.id ?? 0;
  const renamed = await page.request.put(`/api/projects/${projectId}`, {
    data: { name: 'Online shop' },
    headers: { Origin: baseURL },
  });
  expect(renamed.ok(), await renamed.text()).toBe(true);
  return { email, workspaceId, projectId };
}

export async function addCollection(
  page: Page,
  baseURL: string,
  projectId: number,
  name: string,
  documents: object[] = [],
): Promise<number> {
  const collection = await post(page, baseURL, '/api/collections', {
    name,
    projectId,
    dimension: 384,
    metric: 'cosine',
  });
  if (documents.length > 0) {
    await post(page, baseURL, `/api/collections/${collection.id}/documents/import`, documents);
  }
  return collection.id;
}

async function post(page: Page, baseURL: string, path: string, data: unknown): Promise<{ id: number }> {
  const answer = await page.request.post(path, { data, headers: { Origin: baseURL } });
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return (await answer.json()) as { id: number };
}
