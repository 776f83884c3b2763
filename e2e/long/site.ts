import { expect, type Page } from '@playwright/test';
import { addCollection, startWithProject } from '../account.ts';
import { catalogue } from '../catalogue.ts';

/** An account and what is in it; 0 and '' where there is none. */
export interface Site {
  projectId: number;
  /** With documents, synonyms, an override and a judged query. */
  products: number;
  /** Without documents. */
  drafts: number;
  keyId: number;
  conversation: number;
  /** Of an open invitation. */
  invitation: string;
}

/** Has nothing but its project. */
export async function emptySite(page: Page, baseURL: string): Promise<Site> {
  const { projectId } = await startWithProject(page, baseURL);
  return { projectId, products: 0, drafts: 0, keyId: 0, conversation: 0, invitation: '' };
}

/** Has something of everything, so that no list of the console is empty. */
export async function fullSite(page: Page, baseURL: string): Promise<Site> {
  const { projectId, workspaceId } = await startWithProject(page, baseURL);
  const products = await addCollection(page, baseURL, projectId, 'products', catalogue);
  const drafts = await addCollection(page, baseURL, projectId, 'drafts');
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, headers: { Origin: baseURL } });
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
    return await answer.json();
  };
  const key = (await post('/api/api-keys', { name: 'Website', projectId })) as { id: number; key: string };
  const searched = await page.request.get('/api/collections/products/search?query=kettle', {
    headers: { 'X-API-Key': key.key },
  });
  expect(searched.ok(), await searched.text()).toBe(true);
  await post(`/api/collections/${products}/synonyms`, { synonyms: ['kettle', 'teapot'] });
  await post(`/api/collections/${products}/overrides`, {
    rule: { query: 'camping', match: 'exact' },
    includes: [{ id: 'tent', position: 1 }],
  });
  await post(`/trpc/judgements.put`, {
    collection: products,
    query: 'camping stove',
    document: 'stove',
    grade: 3,
  });
  await post('/trpc/alertRules.create', {
    workspaceId,
    name: 'Disk is nearly full',
    metric: 'disk',
    threshold: 99,
  });
  const chat = (await post('/api/chat', {
    message: 'What boils a pot?',
    collections: [String(products)],
  })) as { conversation_id: number };
  const invited = (await post('/trpc/invitations.create', { workspaceId, role: 'viewer' })) as {
    result: { data: { token: string } };
  };
  // What is searched for is written some seconds later.
  const counted = async () => {
    const answer = await page.request.get(`/api/collections/${products}/analytics`);
    return ((await answer.json()) as { searches: number }).searches;
  };
  await expect.poll(counted, { timeout: 60_000 }).toBeGreaterThan(0);
  return {
    projectId,
    products,
    drafts,
    keyId: key.id,
    conversation: chat.conversation_id,
    invitation: invited.result.data.token,
  };
}
