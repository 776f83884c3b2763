import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';
import { watchConsole } from './console-watch.ts';

/** Questions answered from the documents of collections. The tests’ server has no key of any provider. */

/** What is promised of the page, each by the step that proves it. */
const promised = {
  suggested: 'Four suggested queries are shown only before the first user message',
  reloaded: 'A page that is loaded anew keeps what was asked and what was typed, and offers to ask again',
  enter: 'Enter sends, Shift+Enter does not',
  waiting: 'The input is disabled while waiting, and the answer can be stopped',
  cited: 'Citations open the passage',
  followUp: 'A follow-up is understood from the conversation',
  nothing: 'Where nothing was found, that is what is said',
  stale: 'An answer whose sources changed says so and offers to ask again',
  kept: 'What is typed waits while the reader is elsewhere',
  tabs: 'Another tab shows what is asked in this one',
  conversations: 'Conversations are kept, listed, renamed, and deleted with Undo',
  models: 'Model choice: vector-ai, gpt-4, claude; one without a key says which setting it needs',
};

const films = [
  {
    id: 'solaris',
    title: 'Solaris',
    extract:
      'Solaris is a 1972 Soviet science fiction film directed by Andrei Tarkovsky. The plot follows a psychologist who travels to a station that orbits a planet.',
    year: 1972,
  },
  {
    id: 'stalker',
    title: 'Stalker',
    extract: 'Stalker is a film directed by Andrei Tarkovsky. It was filmed near Tallinn.',
    year: 1979,
  },
];

const interrupted = 'The page was left before the answer was whole.';
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const answers = (page: Page) => page.getByRole('article', { name: 'Answer of vector-ai' });

async function ask(page: Page, question: string, place: number) {
  await message(page).fill(question);
  await page.keyboard.press('Enter');
  const answer = answers(page).nth(place);
  await expect(answer.getByRole('button', { name: 'Copy answer' })).toBeVisible();
  return answer;
}

test('questions are answered with passages that open, are followed up, and are kept', async ({
  page,
  baseURL,
}) => {
  const { projectId } = await startWithProject(page, baseURL ?? '');
  const collection = await addCollection(page, baseURL ?? '', projectId, 'films', films);
  await addCollection(page, baseURL ?? '', projectId, 'products', catalogue);
  const watched = watchConsole(page);
  await page.goto('/ask-vector');
  const suggestions = page.getByRole('list', { name: 'Suggested questions' });
  const panel = page.getByRole('dialog', { name: 'Source' });
  const first = answers(page).first();
  const cite = () => first.getByRole('button', { name: 'Source 1: Solaris' }).first().click();

  await test.step(promised.suggested, async () => {
    await expect(suggestions.getByRole('button')).toHaveCount(4);
    await expectStateAccessible(page, 'ask, empty');
  });
  await test.step(promised.waiting, async () => {
    // The request does not arrive before it is stopped.
    await page.route('**/api/chat', () => new Promise(() => undefined));
    await message(page).fill('Who directed Solaris?');
    await page.keyboard.press('Enter');
    await expect(message(page)).toBeDisabled();
    await expect(suggestions).toBeHidden();
    await expectStateAccessible(page, 'ask, waiting');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByText('You stopped this answer.')).toBeVisible();
    await expect(message(page)).toBeEnabled();
    await expectStateAccessible(page, 'ask, stopped');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Edit the question' }).click();
    await expect(message(page)).toHaveValue('Who directed Solaris?');
    await expect(suggestions).toBeVisible();
  });
  await test.step(promised.reloaded, async () => {
    await page.route('**/api/chat', () => new Promise(() => undefined));
    await message(page).press('Enter');
    await expect(message(page)).toBeDisabled();
    await page.reload();
    await expect(page.getByText(interrupted, { exact: true })).toBeVisible();
    await expect(page.getByText('Who directed Solaris?')).toBeVisible();
    await expectAccessible(page, 'ask, loaded anew');
    await message(page).fill('half a question');
    await page.reload();
    await expect(message(page)).toHaveValue('half a question');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(suggestions).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await expect(suggestions.getByRole('button')).toHaveCount(4);
    await expect(page.getByText(interrupted, { exact: true })).toBeHidden();
  });
  await test.step(promised.enter, async () => {
    await message(page).fill('Who directed');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Solaris?');
    await expect(message(page)).toHaveValue('Who directed\nSolaris?');
    await ask(page, 'Who directed Solaris?', 0);
    await expect(first).toContainText('directed by Andrei Tarkovsky');
    await expect(suggestions).toBeHidden();
    await expect(page).toHaveURL(/\/ask-vector\/\d+$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Who directed Solaris?' })).toBeVisible();
    await expect(message(page)).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: 'Answer: Solaris is a 1972' })).toBeAttached();
  });
  await test.step(promised.cited, async () => {
    await cite();
    await expect(panel.locator('mark')).toHaveText(
      'Solaris is a 1972 Soviet science fiction film directed by Andrei Tarkovsky.',
    );
    await expect(page).toHaveURL(/source=/);
    await expectStateAccessible(page, 'ask, source');
    await page.reload();
    await expect(panel.locator('mark').first()).toBeInViewport();
    await panel.getByRole('link', { name: 'Open in films' }).click();
    await expect(page).toHaveURL(`/collections/${collection}?open=solaris`);
    await page.goBack();
    await panel.getByRole('button', { name: 'Close source' }).click();
    await expect(panel).toBeHidden();
  });
  await test.step(promised.followUp, async () => {
    const second = await ask(page, 'When was it made?', 1);
    await expect(second).toContainText('1972');
    await expect(page.getByText('Understood as “When was Solaris made?”')).toBeVisible();
    await second.getByRole('button', { name: 'Copy answer' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('[1] Solaris (films, solaris)');
  });
  await test.step(promised.nothing, async () => {
    const third = await ask(page, 'Who won the football world cup of 2018?', 2);
    await expect(third).toContainText('I found nothing about this in these 2 collections.');
    await expect(third.getByRole('list')).toHaveCount(0);
  });
  await test.step(promised.stale, async () => {
    const changed = await page.request.put(`/api/collections/${collection}/documents/solaris`, {
      data: { ...films[0], extract: 'Solaris is a 1972 film directed by somebody else.' },
      headers: { Origin: baseURL ?? '' },
    });
    expect(changed.ok()).toBe(true);
    await expect(first.getByText('Source 1 was changed or deleted since.')).toBeVisible();
    await cite();
    await expect(panel.getByText('The document has been changed since.')).toBeVisible();
    await expect(panel.locator('blockquote')).toContainText('directed by Andrei Tarkovsky');
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await first.getByRole('button', { name: 'Ask again' }).click();
    await expect(answers(page).nth(3)).toContainText('directed by somebody else');
    await expectAccessible(page, 'ask, answers');
  });
  await test.step(promised.kept, async () => {
    await message(page).fill('not sent yet');
    await page.getByRole('link', { name: 'Collections', exact: true }).first().click();
    await expect(page).toHaveURL('/collections');
    await page.goBack();
    await expect(message(page)).toHaveValue('not sent yet');
  });
  watched.expectQuiet();
});

test('conversations are listed, renamed, deleted, and brought back', async ({ page, baseURL }) => {
  const { projectId } = await startWithProject(page, baseURL ?? '');
  await page.goto('/ask-vector');
  await expect(page.getByRole('heading', { name: 'Nothing to ask yet' })).toBeVisible();
  await addCollection(page, baseURL ?? '', projectId, 'films', films);
  await expect(page.getByRole('list', { name: 'Suggested questions' })).toBeVisible();
  await test.step(promised.reloaded, async () => {
    await page.route('**/api/chat', () => new Promise(() => undefined));
    await message(page).fill('Who directed Solaris?');
    await page.keyboard.press('Enter');
    await expect(message(page)).toBeDisabled();
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await expect(answers(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();
    await expect(page).toHaveURL(/\/ask-vector\/\d+$/);
  });
  await test.step(promised.tabs, async () => {
    const other = await page.context().newPage();
    await other.goto('/ask-vector');
    await other.getByRole('link', { name: 'Who directed Solaris?' }).click();
    await expect(answers(other)).toHaveCount(1);
    await ask(page, 'When was it made?', 1);
    await expect(answers(other)).toHaveCount(2);
    await other.close();
  });
  await test.step(promised.conversations, async () => {
    const list = page.getByRole('navigation', { name: 'Your conversations' });
    await list.getByRole('button', { name: 'Actions for Who directed Solaris?' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename conversation' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Tarkovsky');
    await expectStateAccessible(page, 'ask, renaming');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Tarkovsky' })).toBeVisible();
    const address = page.url();
    await page.getByRole('button', { name: 'Actions for this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page).toHaveURL('/ask-vector');
    await expect(list).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await list.getByRole('link', { name: 'Tarkovsky' }).click();
    await expect(page).toHaveURL(address);
    await expect(answers(page).first()).toContainText('directed by Andrei Tarkovsky');
    await page.goto('/ask-vector/999999');
    await expect(page.getByRole('heading', { name: 'There is no such conversation' })).toBeVisible();
  });
  await test.step(promised.models, async () => {
    await page.goto('/ask-vector');
    await page.getByRole('combobox', { name: 'Model' }).click();
    await expect(page.getByRole('option')).toHaveText([/^vector-ai/, /^gpt-4/, /^claude/]);
    await page.getByRole('option', { name: /^claude/ }).click();
    await expect(page).toHaveURL(/model=claude/);
    await expect(page.getByText('this server has no ANTHROPIC_API_KEY')).toBeVisible();
    await message(page).fill('Who directed Solaris?');
    await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
    await expectStateAccessible(page, 'ask, a model without its key');
    await page.getByRole('button', { name: 'Use vector-ai, which needs none' }).click();
    await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  });
});
