import { expect, type Page } from '@playwright/test';

export const password = 'correct horse battery staple';
let made = 0;

export interface Place {
  email: string;
  workspaceId: number;
  projectId: number;
}

/** A signed-in account of its own with the project 'Online shop' in its first workspace, made over REST with the page's cookie. */
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
  const project = await post(page, baseURL, '/api/projects', {
    name: 'Online shop',
    workspaceId,
    slug: 'online-shop',
  });
  return { email, workspaceId, projectId: project.id };
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
